/** Results of executed calls on their way to the session. */
import { slot } from '../boundary/slot.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Part } from '../trace/call.ts'
import type { RunState } from './run-state.ts'
import type { Settled } from './sinks.ts'

/** Pulls one value at a time out of an executed stream, as the agent asks for it. */
export function pump(run: RunState, live: LiveCall, source: AsyncIterator<unknown>): () => void {
  let isPulling = false
  return () => {
    if (isPulling) return
    isPulling = true
    run.inFlight++
    // Asynchronous, as an iterator need not be: one that throws at once ends the call, and is counted as come back.
    inside(run, live, async () => source.next()).then(
      step => {
        isPulling = false
        arrived(run, live, step.done ? 'end' : 'chunk', { ok: true, value: step.value })
      },
      error => arrived(run, live, 'end', { ok: false, error }),
    )
  }
}

/** The agent has enough of an executed stream: what that does at its end, in a `finally`, is still part of the call. */
export async function stop(run: RunState, live: LiveCall, source: AsyncIterator<unknown>): Promise<void> {
  try {
    await inside(run, live, () => source.return?.())
  } finally {
    run.executing.delete(live)
  }
}

export function inside<T>(run: RunState, live: LiveCall, body: () => T): T {
  return slot().context.run({ host: run.host, inside: live }, body)
}

/** Ends what `inFlight` counted. */
export function arrived(run: RunState, live: LiveCall, part: Part, settled: Settled): void {
  run.inFlight--
  if (part === 'end') run.executing.delete(live)
  run.session.executed(live, { part, payload: settled })
  run.turns.arm()
}
