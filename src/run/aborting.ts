/**
 * The agent's signal aborts while a call is open. A recording only notes it: what the call makes of it is its own affair. A
 * replay ends the call at once, with the signal's reason, unless the recording shows that an abort did not end it.
 */

import type { RecordedError } from '../json/error-record.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { LiveCall } from '../session/live-call.ts'
import { keptError } from './kept-error.ts'
import type { RunState } from './run-state.ts'
import type { Sink } from './sinks.ts'
import { abandon } from './streaming.ts'

export function noteAbort(run: RunState, live: LiveCall): void {
  run.write({ kind: 'aborted', at: run.now(), live: live.number })
}

export function abortRecorded(run: RunState, live: LiveCall, sink: Sink, reason: unknown): void {
  if (outlivesAbort(run, live, reason)) {
    noteAbort(run, live)
    run.session.abort(live)
    run.turns.arm()
    return
  }
  abandon(run, live)
  sink.abort(reason)
}

/** Aborted in the recording, too, and then it went on: the tool took no notice, or its result was already on its way. */
function outlivesAbort({ plan, redactor }: RunState, { call, refused }: LiveCall, reason: unknown): boolean {
  const recorded = refused || call === null ? undefined : plan.calls[call]
  return recorded?.abortedAfter !== undefined && !isEndedBy(recorded, keptError(reason, redactor).error)
}

/** Most tools reject with the very reason. One that has an error of its own for it is answered with that, in its place. */
function isEndedBy({ error }: PlannedCall, { name, message }: RecordedError): boolean {
  return error !== null && error.name === name && error.message === message
}
