/**
 * The output of a run as a value: a Response is read as JSON when it says so, else as text; a stream as text, or as the
 * array of its values when they are neither text nor bytes; any other async iterable as the array of what it yields.
 * Everything else is returned as it is. Rejects with whatever the stream fails with.
 */
export async function readOutput(value: unknown): Promise<unknown> {
  if (isResponse(value)) return readResponse(value)
  if (isWebStream(value)) return joined(await collect(chunksOf(value)))
  if (!isAsyncIterable(value)) return value
  const values = await collect(value)
  return isNodeStream(value) ? joined(values) : values
}

async function readResponse(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!/\bjson\b/i.test(response.headers.get('content-type') ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** By its parts, not by its class: an agent may bring the Response of another realm or of a package. */
function isResponse(value: unknown): value is Response {
  return hasMethod(value, 'text') && hasMethod(value, 'clone') && 'headers' in value && 'status' in value
}

function isWebStream(value: unknown): value is ReadableStream<unknown> {
  return hasMethod(value, 'getReader') && hasMethod(value, 'tee')
}

function isNodeStream(value: unknown): boolean {
  return hasMethod(value, 'pipe') && hasMethod(value, 'read')
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function hasMethod(value: unknown, name: string): value is object {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
}

async function* chunksOf(stream: ReadableStream<unknown>): AsyncGenerator<unknown> {
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const value of values) all.push(value)
  return all
}

/** A character may be cut in two by the chunks, so the bytes are decoded by one decoder. */
function joined(chunks: readonly unknown[]): unknown {
  if (!chunks.every(chunk => typeof chunk === 'string' || chunk instanceof Uint8Array)) return chunks
  const decoder = new TextDecoder()
  const texts = chunks.map(chunk =>
    typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }),
  )
  return texts.join('') + decoder.decode()
}
