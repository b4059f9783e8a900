import type { Header, HttpAnswer } from '../trace/exchange.ts'
import { answerParts } from './answer-parts.ts'
import type { StandIn } from './stand-in-socket.ts'

const WITHOUT_BODY = new Set([204, 304])

/** Writes an answer as a server writes it, framed as its headers say; what the request does not read is not asked for. */
export async function writeAnswer(
  socket: StandIn,
  method: string,
  { head, body }: HttpAnswer,
  trailers: () => readonly Header[],
): Promise<void> {
  const { status, statusText, headers } = head
  const hasBody = method !== 'HEAD' && !WITHOUT_BODY.has(status)
  const isChunked = headerIn(headers, 'transfer-encoding') === 'chunked'
  const parts = answerParts(body)
  let left = hasBody ? bytesIn(headers, isChunked) : 0
  let held: Uint8Array | null = null
  // What completes the answer waits until the source has ended: a request that has all does not wait for that.
  const give = async (bytes: Uint8Array, size: number): Promise<void> => {
    left -= size
    if (left > 0) await socket.give(bytes)
    else held = held === null ? bytes : Buffer.concat([held, bytes])
  }
  socket.onBreak(() => void parts.return?.())
  try {
    await give(Buffer.from(`HTTP/1.1 ${status} ${statusText}\r\n${linesOf(headers)}\r\n`, 'latin1'), 0)
    for (let step = await parts.next(); !step.done; step = await parts.next()) {
      const { value } = step
      if (hasBody && value.length > 0) await give(isChunked ? chunkOf(value) : value, value.length)
    }
    socket.last()
    if (held !== null) await socket.give(held)
    else if (isChunked) await socket.give(Buffer.from(`0\r\n${linesOf(trailers())}\r\n`, 'latin1'))
    else socket.end()
  } catch (error) {
    socket.last()
    socket.destroy(isCut(error) ? undefined : (error as Error))
  }
}

/** How long the body will be; without an end that the headers tell, the connection ends it. */
function bytesIn(headers: readonly Header[], isChunked: boolean): number {
  const length = headerIn(headers, 'content-length')
  return isChunked || length === null ? Number.POSITIVE_INFINITY : Number(length)
}

/** The connection ended too early, without an error of its own: Node will say so again. */
function isCut(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted'
}

function chunkOf(part: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
}

function linesOf(headers: readonly Header[]): string {
  return headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
}

function headerIn(headers: readonly Header[], wanted: string): string | null {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase() ?? null
}
