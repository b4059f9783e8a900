/** The body of an HTTP answer as the agent's library reads it, part by part. */
import type { LiveCall } from '../session/live-call.ts'
import type { RunState } from './run-state.ts'
import type { StreamSink } from './sinks.ts'
import { abandon } from './streaming.ts'

const OVER: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * Not a generator: `return()` must not wait for a read that is pending, as a library that has enough cancels in the middle
 * of one.
 */
export function exchangeBody(
  run: RunState,
  live: LiveCall,
  sink: StreamSink,
  onPull: () => void,
  onBreak: () => void = () => {},
): AsyncIterableIterator<Uint8Array> {
  let isOver = false
  const body: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => body,
    next: async () => {
      if (isOver) return OVER
      const { part, settled } = await sink.next(onPull)
      if (isOver) return OVER
      if (part === 'end') isOver = true
      if (!settled.ok) throw settled.error
      return part === 'end' ? OVER : { done: false, value: settled.value as Uint8Array }
    },
    return: async () => {
      if (isOver) return OVER
      isOver = true
      abandon(run, live)
      onBreak()
      // Whoever still waits is told.
      sink.deliver('end', { ok: true, value: undefined })
      return OVER
    },
  }
  return body
}
