/** Requests as a boundary hands them over, and exchanges as a client library gets them. */
import { readRequest } from '../../../src/dialect/read-request.ts'
import type { Exchange, ReadRequest, SentRequest } from '../../../src/trace/exchange.ts'

export interface Sending {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: Uint8Array | string | object | null
}

/** A body that is an object is sent as JSON. */
export function sent(url: string, { method = 'POST', headers = {}, body = null }: Sending = {}): SentRequest {
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array
  return {
    method,
    url: new URL(url),
    header: name => headers[name] ?? null,
    body: isPlain ? body : JSON.stringify(body),
  }
}

export function read(url: string, sending?: Sending): ReadRequest {
  return readRequest(sent(url, sending))
}

/** What `fetch` hands out for an exchange, cut into pieces of so many bytes. */
export function responseOf({ head, chunks }: Exchange, size = 7): Response {
  const bytes = bytesOf(chunks)
  const empty = bytes.length === 0
  return new Response(empty ? null : inPieces(bytes, size), {
    status: head.status,
    statusText: head.statusText,
    headers: head.headers.map(([name, value]) => [name, value] as [string, string]),
  })
}

export function bytesOf(chunks: Exchange['chunks']): Buffer {
  return Buffer.concat(
    chunks.map(chunk =>
      typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64'),
    ),
  )
}

function inPieces(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)))
      at += size
    },
  })
}

/** A `fetch` for SDKs: each request is read as a boundary reads it, and answered by the function given. */
export function fetchThat(answer: (read: ReadRequest) => Exchange) {
  const asked: ReadRequest[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    const one = readRequest({
      method: request.method,
      url: new URL(request.url),
      header: name => request.headers.get(name),
      body,
    })
    asked.push(one)
    return responseOf(answer(one))
  }
  return { fetch, asked }
}
