/** The request that a dispatcher of undici was asked to send, its body whole. */
import { stringify } from 'node:querystring'
import type { SentRequest } from '../trace/exchange.ts'

export interface DispatchOptions {
  readonly origin?: string | URL
  readonly path: string
  readonly method: string
  readonly headers?: unknown
  readonly body?: unknown
  readonly query?: Record<string, string>
  readonly upgrade?: unknown
}

export interface ReadDispatch {
  readonly sent: SentRequest
  /** The options to send it with, as often as it takes. */
  readonly again: () => DispatchOptions
}

/** Null: nothing that could be a call. Web sockets and tunnels are none. */
export function addressOf({ origin, path, method, upgrade, query }: DispatchOptions): URL | null {
  if (origin === undefined || upgrade || method === 'CONNECT') return null
  const address = query === undefined ? path : `${path}?${stringify(query)}`
  const base = String(origin)
  return URL.canParse(address, base) ? new URL(address, base) : null
}

/** At once when the body is text or bytes or none, a promise when it has to be read, null when nobody could read it. */
export function readDispatch(
  url: URL,
  options: DispatchOptions,
): ReadDispatch | Promise<ReadDispatch> | null {
  const { body } = options
  const bytes = bytesOf(body)
  if (bytes !== undefined) return readAs(url, options, bytes, null, () => options)
  if (isNamed(body, 'FormData')) return readForm(url, options, body as FormData)
  if (isNamed(body, 'Blob') || isNamed(body, 'File')) return readBlob(url, options, body as Blob)
  if (!isIterable(body)) return null
  return readStream(url, options, body)
}

function readAs(
  url: URL,
  { method, headers }: DispatchOptions,
  body: Uint8Array | string | null,
  type: string | null,
  again: () => DispatchOptions,
): ReadDispatch {
  const header = (name: string): string | null =>
    headerIn(headers, name) ?? (name === 'content-type' ? type : null)
  return { sent: { method: method.toUpperCase(), url, header, body }, again }
}

function bytesOf(body: unknown): Uint8Array | string | null | undefined {
  if (body === undefined || body === null) return null
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  return undefined
}

/** Of any copy of undici: told by its name, as undici itself does. */
function isNamed(body: unknown, name: string): boolean {
  return (body as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === name
}

async function readForm(url: URL, options: DispatchOptions, form: FormData): Promise<ReadDispatch> {
  const own = new FormData()
  for (const [name, value] of form) own.append(name, value as string)
  const response = new Response(own)
  const type = response.headers.get('content-type')!
  return readTyped(url, options, new Uint8Array(await response.arrayBuffer()), type)
}

async function readBlob(url: URL, options: DispatchOptions, blob: Blob): Promise<ReadDispatch> {
  return readTyped(url, options, new Uint8Array(await blob.arrayBuffer()), blob.type)
}

/** Such a body brings its type, unless the headers name one. */
function readTyped(url: URL, options: DispatchOptions, body: Uint8Array, type: string): ReadDispatch {
  const headers = headerPairs(options.headers)
  const isGiven = type === '' || headerIn(options.headers, 'content-type') !== null
  const again = {
    ...options,
    body,
    headers: (isGiven ? headers : [...headers, ['content-type', type]]).flat(),
  }
  return readAs(url, options, body, type, () => again)
}

async function readStream(
  url: URL,
  options: DispatchOptions,
  body: AsyncIterable<Uint8Array | string>,
): Promise<ReadDispatch> {
  const parts: Buffer[] = []
  for await (const part of body) parts.push(Buffer.from(part as string))
  const bytes = Buffer.concat(parts)
  // What came as a stream goes out without a length, as it would.
  return readAs(url, options, bytes, null, () => ({ ...options, body: once(bytes) }))
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes
}

function isIterable(body: unknown): body is AsyncIterable<Uint8Array | string> {
  return typeof body === 'object' && (Symbol.asyncIterator in body! || Symbol.iterator in body!)
}

function headerIn(headers: unknown, name: string): string | null {
  const values = headerPairs(headers).filter(([key]) => key.toLowerCase() === name)
  return values.length === 0 ? null : values.map(([, value]) => value).join(', ')
}

type Entry = readonly [name: unknown, value: unknown]

/** undici takes a flat list, pairs, or an object, a value being a text or a list. */
function headerPairs(headers: unknown): [name: string, value: string][] {
  if (headers === undefined || headers === null) return []
  const entries = Array.isArray(headers)
    ? inPairs(headers)
    : Symbol.iterator in (headers as object)
      ? [...(headers as Iterable<Entry>)]
      : Object.entries(headers as object)
  return entries.flatMap(([name, value]) =>
    [value].flat().map(one => [String(name), String(one)] as [string, string]),
  )
}

function inPairs(list: readonly unknown[]): Entry[] {
  if (Array.isArray(list[0])) return list as Entry[]
  return list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]] as const] : []))
}
