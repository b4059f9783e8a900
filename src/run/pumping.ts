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
    inside(run, live, () => source.next()).then(
      step => {
        isPulling = false
        arrived(run, live, step.done ? 'end' : 'chunk', { ok: true, value: step.value })
      },
      error => arrived(run, live, 'end', { ok: false, error }),
    )
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
