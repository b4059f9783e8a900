/** The request that `fetch` was asked to send, its body whole. */
import type { SentRequest } from '../trace/exchange.ts'

export type FetchInput = string | URL | Request

export interface ReadFetch {
  readonly sent: SentRequest
  readonly signal: AbortSignal | null
  /** Sends what was read; at most once. */
  readonly send: () => Promise<Response>
}

type Arguments = [input: FetchInput, init?: RequestInit]
type Send = (...args: Arguments) => Promise<Response>

/** The rest, and methods that `fetch` forbids, are left to `Request`. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** At once when all parts lie open, as with every SDK for models; else a promise, rejected as `fetch` would reject. */
export function readFetch(url: URL, args: Arguments, real: Send): ReadFetch | Promise<ReadFetch> {
  return readAtOnce(url, args, real) ?? readRequest(url, new Request(...args), args, real)
}

function readAtOnce(url: URL, args: Arguments, real: Send): ReadFetch | null {
  const [input, init] = args
  if ((typeof input !== 'string' && !(input instanceof URL)) || url.username !== '' || url.password !== '')
    return null
  const method = String(init?.method ?? 'GET').toUpperCase()
  const body = init?.body ?? null
  if (!METHODS.has(method) || !isPlain(body, method)) return null
  const signal = init?.signal ?? null
  if (signal !== null && !(signal instanceof AbortSignal)) return null
  const header = headerOf(init?.headers, typeof body === 'string')
  return { sent: { method, url, header, body }, signal, send: () => real(...args) }
}

function isPlain(body: unknown, method: string): body is string | Uint8Array | null {
  if (body === null) return true
  return (typeof body === 'string' || body instanceof Uint8Array) && method !== 'GET' && method !== 'HEAD'
}

function headerOf(init: RequestInit['headers'], isText: boolean): SentRequest['header'] {
  let headers: Headers | null = init instanceof Headers ? init : null
  return name => {
    if (headers === null && mayHave(init, name)) headers = new Headers(init)
    return headers?.get(name) ?? (isText && name === 'content-type' ? 'text/plain;charset=UTF-8' : null)
  }
}

/** To make Headers of an object costs as much as all the rest of a request; most are asked for what they do not have. */
function mayHave(init: RequestInit['headers'], name: string): boolean {
  if (init === undefined || init === null) return false
  return Symbol.iterator in init || Object.keys(init).some(key => key.toLowerCase() === name)
}

async function readRequest(
  url: URL,
  request: Request,
  [input, init]: Arguments,
  real: Send,
): Promise<ReadFetch> {
  // The caller's own signal: that of `request` only follows it while somebody holds the request.
  const signal = init?.signal !== undefined ? init.signal : ((input as Partial<Request>).signal ?? null)
  const body = request.body === null ? null : await beforeAbort(bytesOf(request.body), signal)
  const sent = {
    method: request.method.toUpperCase(),
    url,
    header: (name: string) => request.headers.get(name),
    body,
  }
  return { sent, signal, send: () => real(request, optionsOf(request, init, signal, body)) }
}

/** `fetch` forgets the referrer of a request that is sent with options. */
function optionsOf(
  { referrer, referrerPolicy }: Request,
  init: RequestInit | undefined,
  signal: AbortSignal | null,
  body: Uint8Array | null,
): RequestInit {
  const { dispatcher } = (init ?? {}) as { dispatcher?: unknown }
  return {
    referrer,
    referrerPolicy,
    signal,
    ...(body !== null && (isStream(init?.body) ? streamed(body) : { body })),
    ...(dispatcher !== undefined && { dispatcher }),
  } as RequestInit
}

/** What came as a stream goes out without a length, as it would. */
function streamed(body: Uint8Array): object {
  return { body: new Blob([body as Uint8Array<ArrayBuffer>]).stream(), duplex: 'half' }
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of body) parts.push(Buffer.from(part))
  } catch (cause) {
    throw new TypeError('fetch failed', { cause })
  }
  return new Uint8Array(Buffer.concat(parts))
}

function beforeAbort<T>(promise: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return promise
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
