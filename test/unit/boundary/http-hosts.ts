/** Runs that only know HTTP: one records, the other answers from it and opens no connection. */
import { type BoundaryCall, type Host, slot } from '../../../src/boundary/slot.ts'
import type { ExchangeHead, HttpAnswer } from '../../../src/trace/exchange.ts'

export interface Kept {
  readonly call: BoundaryCall
  /** What the real request was rejected with. */
  failure: { readonly error: unknown } | null
  answer: { readonly head: ExchangeHead; readonly isWhole: boolean; readonly parts: Uint8Array[] } | null
  /** What broke the body off. */
  broken: { readonly error: unknown } | null
}

/** Runs `fn` as the agent of a run that sends each request for real; what came back is put into `kept`. */
export function recording<R>(kept: Kept[], fn: () => R): R {
  return beside(fn, (call, inside) => {
    const one: Kept = { call, failure: null, answer: null, broken: null }
    kept.push(one)
    return inside(call.body as () => Promise<HttpAnswer>).then(
      answer => keep(one, answer, inside),
      error => {
        // What the agent aborted by itself stays without an answer.
        if (call.signal?.aborted !== true) one.failure = { error }
        throw error
      },
    )
  })
}

/** Runs `fn` as the agent of a run that answers from `kept`, in its order. */
export function replaying<R>(kept: readonly Kept[], fn: () => R): R {
  let at = 0
  return beside(fn, ({ signal }) => {
    const one = kept[at++]
    if (one === undefined) throw new Error('not recorded')
    if (one.failure !== null) return Promise.reject(one.failure.error)
    if (one.answer === null) return rejectedBy(signal)
    const { head, isWhole, parts } = one.answer
    if (isWhole) return Promise.resolve({ head, body: parts[0] ?? null })
    return Promise.resolve({ head, body: { [Symbol.asyncIterator]: () => again(one, parts, signal) } })
  })
}

function beside<R>(
  fn: () => R,
  answer: (call: BoundaryCall, inside: <T>(body: () => T) => T) => Promise<HttpAnswer>,
): R {
  const host: Host = {
    mode: 'record',
    ownsProcess: false,
    call: call =>
      answer(call, body => slot().context.run({ host, inside: call }, body)).then(async value => {
        await turn()
        return value
      }),
    enclosing: () => {
      const call = slot().context.getStore()?.inside as BoundaryCall | null | undefined
      return call == null ? null : call.exchange === undefined ? call.target.kind : 'http'
    },
    setOutput: () => {},
    service: () => {},
    note: () => {},
  }
  slot().hosts.add(host)
  const end = (): void => void slot().hosts.delete(host)
  const result = slot().context.run({ host, inside: null }, fn)
  if (result instanceof Promise) result.then(end, end)
  else end()
  return result
}

function keep(one: Kept, { head, body }: HttpAnswer, inside: <T>(body: () => T) => T): HttpAnswer {
  const isWhole = body === null || typeof body === 'string' || body instanceof Uint8Array
  one.answer = { head, isWhole, parts: [] }
  if (body === null) return { head, body }
  if (isWhole) {
    one.answer.parts.push(Buffer.from(body as Uint8Array))
    return { head, body }
  }
  const source = inside(() => body[Symbol.asyncIterator]())
  return { head, body: { [Symbol.asyncIterator]: () => kept(one, source, inside) } }
}

function kept(
  one: Kept,
  source: AsyncIterator<Uint8Array>,
  inside: <T>(body: () => T) => T,
): AsyncIterator<Uint8Array> {
  return {
    next: async () => {
      try {
        const step = await inside(() => source.next())
        // A copy, as a stream may take the memory of what goes through it.
        if (!step.done) one.answer!.parts.push(Buffer.from(step.value))
        await turn()
        return step
      } catch (error) {
        one.broken = { error }
        throw error
      }
    },
    return: async () => {
      await inside(() => source.return?.())
      return { done: true, value: undefined }
    },
  }
}

function again(
  one: Kept,
  parts: readonly Uint8Array[],
  signal: AbortSignal | null,
): AsyncIterator<Uint8Array> {
  let at = 0
  return {
    next: async () => {
      await turn()
      if (signal?.aborted) throw signal.reason
      if (at < parts.length) return { done: false, value: new Uint8Array(parts[at++]!) }
      // An abort is the agent's own act: what was broken off by one goes on until it comes.
      if (one.broken !== null && isAbort(one.broken.error)) return rejectedBy(signal)
      if (one.broken !== null) throw one.broken.error
      return { done: true, value: undefined }
    },
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function rejectedBy(signal: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function turn(): Promise<void> {
  return new Promise(done => setImmediate(done))
}
