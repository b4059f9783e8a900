import type { ClientRequest } from 'node:http'
import type { Header, SentRequest } from '../trace/exchange.ts'

export interface Serialized {
  readonly sent: SentRequest
  /** As they were written. */
  readonly headers: readonly Header[]
  readonly body: Buffer
}

/** The request that node:http wrote; its headers may have been set until then. */
export function readSerialized({ method }: ClientRequest, url: URL, bytes: Buffer): Serialized {
  const end = bytes.indexOf('\r\n\r\n')
  const headers = headersIn(bytes.toString('latin1', 0, end))
  const header = (name: string): string | null => {
    const values = headers.filter(([key]) => key.toLowerCase() === name)
    return values.length === 0 ? null : values.map(([, value]) => value).join(', ')
  }
  const rest = bytes.subarray(end + 4)
  const body = header('transfer-encoding')?.toLowerCase() === 'chunked' ? unchunked(rest) : rest
  return { sent: { method, url, header, body: body.length === 0 ? null : body }, headers, body }
}

/** Without the request line. */
function headersIn(head: string): Header[] {
  return head
    .split('\r\n')
    .slice(1)
    .map(line => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const start = bytes.indexOf('\r\n', at) + 2
    const size = Number.parseInt(bytes.toString('latin1', at, start), 16)
    if (!(size > 0)) return Buffer.concat(parts)
    parts.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}
