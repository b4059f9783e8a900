/** Both sides of every call, as `--evidence all` asks for them: what was recorded of it, and what happened now. */
import { completeFacts } from '../capture/complete-facts.ts'
import { type Crossing, crossingsOf, resultOf } from '../capture/crossing.ts'
import type { RecordedError } from '../json/error-record.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { Evidence } from './evidence.ts'
import type { LiveOutcome } from './live-calls.ts'
import type { CallSide, CallSides } from './outcome.ts'

export type SidesOf = (call: PlannedCall | null, live: LiveOutcome | null) => CallSides

/** Null unless all evidence is asked for. */
export function callEvidence(evidence: Evidence): SidesOf | null {
  if (evidence.detail !== 'all') return null
  // The answers that were served stand in the recording, not in the journal.
  const crossings = crossingsOf(completeFacts(evidence.facts, evidence.plan, evidence))
  return (call, live) => ({
    recorded: call === null ? null : recordedSide(evidence, call),
    actual: live === null ? null : actualSide(live, crossings.get(live.made.live)!),
  })
}

function recordedSide({ plan, recordedInput, recordedResult }: Evidence, call: PlannedCall): CallSide {
  const last = plan.deliveries[call.parts.at(-1) ?? -1]
  return {
    input: recordedInput(call),
    output: call.outcome === null || call.error !== null ? null : recordedResult(call),
    error: call.error === null ? null : shortError(call.error),
    at: call.at,
    endedAt: last?.part === 'end' ? last.at : null,
    parent: call.inside,
  }
}

function actualSide({ made, isRefused }: LiveOutcome, crossing: Crossing): CallSide {
  const { end, chunks } = crossing
  const isAnswered = !isRefused && (end !== null || chunks.length > 0)
  const error = isRefused ? undefined : end?.error
  return {
    input: crossing.made.input ?? null,
    output: isAnswered && error === undefined ? resultOf(crossing) : null,
    error: error === undefined ? null : shortError(error),
    at: made.at,
    endedAt: end?.at ?? null,
    parent: made.parent,
  }
}

function shortError({ name, message }: RecordedError): CallSide['error'] {
  return { name, message }
}
