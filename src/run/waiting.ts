import type { BoundaryCall } from '../boundary/slot.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Shape } from '../trace/call.ts'
import { onAbort } from './on-abort.ts'
import type { Sink } from './sinks.ts'

/** A call whose answer is still to come, in whole or in part. */
export interface Waiting {
  readonly sink: Sink
  readonly boundary: BoundaryCall
  readonly shape: Shape
  /** What the recording has of a stream; read at its first part. */
  streamed: Streamed | null
  /** Chunks handed over so far. */
  chunks: number
  readonly stopListening: () => void
}

/** The recorded payload of a stream. */
export interface Streamed {
  readonly yielded: readonly unknown[]
  readonly returned?: unknown
}

export function isStreamed(output: unknown): output is Streamed {
  return (
    typeof output === 'object' && output !== null && Array.isArray((output as { yielded?: unknown }).yielded)
  )
}

/** Where the answer of each call is to go. */
export type WaitingCalls = Map<LiveCall, Waiting>

export type Expected = Pick<Waiting, 'sink' | 'boundary' | 'shape'>

/** `aborted` is told when the agent's signal aborts before the end has come; at once when it has. */
export function startWaiting(
  calls: WaitingCalls,
  live: LiveCall,
  expected: Expected,
  aborted: (reason: unknown) => void,
): void {
  const { signal } = expected.boundary
  let stopListening = (): void => {}
  // A signal often outlives thousands of calls.
  calls.set(live, { ...expected, streamed: null, chunks: 0, stopListening: () => stopListening() })
  stopListening = onAbort(signal, () => aborted(signal!.reason))
}

export function stopWaiting(calls: WaitingCalls, live: LiveCall): void {
  calls.get(live)?.stopListening()
  calls.delete(live)
}
