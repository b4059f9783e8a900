/**
 * How an answer reaches the agent: by a promise, or chunk by chunk through an async generator. (A synchronous answer is
 * returned on the spot and needs none.)
 */
import type { Handout } from '../session/live-call.ts'
import type { Part } from '../trace/call.ts'

export type Settled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown }

export interface Sink {
  deliver(part: Part, settled: Settled): void
  /** The agent aborted: what waits is rejected at once with the signal's reason. */
  abort(reason: unknown): void
}

export interface PromiseSink extends Sink {
  readonly promise: Promise<unknown>
}

export function createPromiseSink(): PromiseSink {
  let resolve!: (value: unknown) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<unknown>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  return {
    promise,
    deliver: (_part, settled) => (settled.ok ? resolve(settled.value) : reject(settled.error)),
    abort: reject,
  }
}

/** Of an HTTP request that is answered from the recording: takes what the session hands out, and tells how it stands then. */
export interface ExchangeSink extends Sink {
  /** The agent has an answer, or the beginning of one. */
  readonly isOpen: boolean
  take(handout: Handout): Settled
}

export function isExchangeSink(sink: Sink): sink is ExchangeSink {
  return 'take' in sink
}

export interface StreamSink extends Sink {
  /** The next part; `onPull` is told when the agent waits for it. */
  next(onPull: () => void): Promise<{ readonly part: Part; readonly settled: Settled }>
}

export function createStreamSink(): StreamSink {
  const queue: { readonly part: Part; readonly settled: Settled }[] = []
  let wake: (() => void) | null = null
  const push = (part: Part, settled: Settled): void => {
    queue.push({ part, settled })
    wake?.()
    wake = null
  }
  return {
    deliver: push,
    abort: reason => push('end', { ok: false, error: reason }),
    next: async onPull => {
      while (queue.length === 0) {
        const woken = new Promise<void>(done => {
          wake = done
        })
        onPull()
        await woken
      }
      return queue.shift()!
    },
  }
}

/** A promise of a stream: kept when its first part comes, which goes on into the stream unless it is only the head. */
export function createOpeningSink(
  opening: PromiseSink,
  stream: StreamSink,
  open: () => unknown,
): PromiseSink {
  let isOpen = false
  return {
    promise: opening.promise,
    deliver: (part, settled) => {
      if (!isOpen && settled.ok) opening.deliver('end', { ok: true, value: open() })
      if (!isOpen && !settled.ok) opening.deliver('end', settled)
      else if (part !== 'head') stream.deliver(part, settled)
      isOpen = true
    },
    abort: reason => {
      opening.abort(reason)
      stream.abort(reason)
    },
  }
}
