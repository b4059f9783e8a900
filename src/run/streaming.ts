import type { LiveCall } from '../session/live-call.ts'
import { writeOpenExchange } from './exchange-tape.ts'
import type { RunState } from './run-state.ts'
import type { StreamSink } from './sinks.ts'
import { stopWaiting } from './waiting.ts'

/** What the agent iterates: each chunk in its place; an early `break` is the agent's own act and drops the rest. */
export async function* readStream(
  run: RunState,
  live: LiveCall,
  sink: StreamSink,
  onPull: () => void,
  onBreak: () => Promise<void> | void = () => {},
): AsyncGenerator<unknown, unknown> {
  let isOver = false
  try {
    for (;;) {
      const { part, settled } = await sink.next(onPull)
      if (part === 'end') isOver = true
      if (!settled.ok) throw settled.error
      if (part === 'end') return settled.value
      yield settled.value
    }
  } finally {
    if (!isOver) {
      abandon(run, live)
      // As without us: the agent waits for the end of the stream, and gets its error.
      await onBreak()
    }
  }
}

/** The agent broke the call off: nothing more is handed to it. */
export function abandon(run: RunState, live: LiveCall): void {
  stopWaiting(run.waiting, live)
  run.session.abandon(live)
  writeOpenExchange(run, live)
  run.write({ kind: 'abandoned', at: run.now(), live: live.number })
  run.turns.arm()
}
