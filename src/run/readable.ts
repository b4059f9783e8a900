type Generator = AsyncGenerator<unknown, unknown>

const METHODS = ['getReader', 'tee', 'pipeThrough', 'pipeTo', 'cancel'] as const

/**
 * A generator that can also be read as a web stream. A function may give either, and the recording does not say which: in
 * a recording and in a replay the agent gets what it can use both ways.
 */
export function asReadable(generator: Generator): Generator {
  let web: ReadableStream<unknown> | null = null
  const stream = (): ReadableStream<unknown> => {
    web ??= ReadableStream.from(generator)
    return web
  }
  for (const name of METHODS) {
    const value = (...args: unknown[]): unknown => Reflect.apply(stream()[name], stream(), args)
    Object.defineProperty(generator, name, { value, configurable: true, writable: true })
  }
  Object.defineProperty(generator, 'locked', { get: () => stream().locked, configurable: true })
  return generator
}
