import type { ClientRequest, IncomingMessage, RequestOptions as NodeOptions } from 'node:http'
import type { RequestOptions as SecureOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Header, HttpAnswer } from '../trace/exchange.ts'

/** As node:http hands them to an agent: all that was asked for, and the port. */
export type RequestOptions = NodeOptions & SecureOptions

/** What came back from the server. */
export interface SentAgain extends HttpAnswer {
  /** Known when the body has ended. */
  readonly trailers: () => readonly Header[]
}

let isMaking = false

/** The request that is just being made is one of ours, for real. */
export function isSendingAgain(): boolean {
  return isMaking
}

/** Makes the same request for real, with the options of the first, by the module that it was made by. */
export function sendAgain(
  first: ClientRequest,
  options: RequestOptions,
  headers: readonly Header[],
  body: Buffer,
  signal: AbortSignal,
): Promise<SentAgain> {
  const { request } = process.getBuiltinModule(first.protocol === 'https:' ? 'node:https' : 'node:http')
  return new Promise((resolve, reject) => {
    const again = make(() =>
      request({
        ...options,
        method: first.method,
        headers: objectOf(headers),
        setHost: false,
        ...named(options),
      }),
    )
    let failure: unknown
    const fail = (error: unknown): void => {
      failure ??= error
      reject(error)
    }
    // Of an abort Node tells what a broken connection would be told as.
    const abort = (): void => {
      fail(signal.reason)
      again.destroy()
    }
    again.on('error', fail)
    again.once('response', response => resolve(answerOf(response, () => failure)))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    finish(again, headers, body)
  })
}

/** It asks its agent for a socket before it is there. */
function make(request: () => ClientRequest): ClientRequest {
  isMaking = true
  try {
    return request()
  } finally {
    isMaking = false
  }
}

/** Not as a list, though that would keep the order: agents for proxies write the head anew, and a list is lost then. */
function objectOf(headers: readonly Header[]): Record<string, string | string[]> {
  const object: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of headers) object[name] = name in object ? [object[name]!, value].flat() : value
  return object
}

/** Of headers in a list Node takes no name for TLS. */
function named({ headers, host, servername }: RequestOptions): Pick<RequestOptions, 'servername'> {
  if (!Array.isArray(headers) || servername !== undefined) return {}
  return { servername: isIP(host ?? '') === 0 ? host! : '' }
}

/** A body is held back as long as the server has not said that it wants it, if the request asks that first. */
function finish(again: ClientRequest, headers: readonly Header[], body: Buffer): void {
  if (!headers.some(([name, value]) => /^expect$/i.test(name) && /^100-continue$/i.test(value)))
    return void again.end(body)
  again.once('continue', () => again.end(body))
  again.flushHeaders()
}

function answerOf(response: IncomingMessage, failure: () => unknown): SentAgain {
  const { statusCode: status, statusMessage: statusText, rawHeaders } = response
  return {
    head: { status: status!, statusText: statusText!, headers: inPairs(rawHeaders) },
    body: { [Symbol.asyncIterator]: () => partsOf(response, failure) },
    trailers: () => inPairs(response.rawTrailers),
  }
}

/** Of a connection that broke the request knows more than the response. */
function partsOf(response: IncomingMessage, failure: () => unknown): AsyncIterator<Uint8Array> {
  const parts = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  return {
    next: () =>
      parts.next().catch(error => {
        throw failure() ?? error
      }),
    return: async () => {
      response.destroy()
      return { done: true, value: undefined }
    },
  }
}

function inPairs(raw: readonly string[]): Header[] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]!] as const] : []))
}
