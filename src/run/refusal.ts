import { ReplayExhaustedError, ReplayMismatchError, ReplayPolicyError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { Verdict } from '../trace/journal.ts'

/** A live call (number from 1) and the recorded one beside it (index in the plan). */
export interface RefusedCall {
  readonly number: number
  readonly call: number | null
  readonly verdict: Verdict
}

/** The error that a refused call throws into the agent. The report says it in full; this must do where the agent prints it. */
export function refusalError(
  live: RefusedCall,
  label: string,
  plan: Plan,
): ReplayMismatchError | ReplayPolicyError {
  const call = live.call === null ? null : plan.calls[live.call]!.number
  const details = { kind: live.verdict, call, live: live.number, label }
  // This mode refuses every call, before any question of which one it is.
  if (plan.mode === 'forbidden')
    return new ReplayPolicyError(`stepfork: ${label} was called, and mode forbidden allows no call`, details)
  switch (live.verdict) {
    case 'refused':
      return new ReplayPolicyError(
        plan.mode === 'live'
          ? `stepfork: ${label} may not run for real: mode live runs tools only when they are named`
          : `stepfork: the policy recorded with ${label} does not allow it to be replayed`,
        details,
      )
    case 'exhausted':
      return new ReplayExhaustedError(
        `stepfork: the recording has no more calls of ${label} with this input`,
        details,
      )
    case 'no-result':
      return new ReplayMismatchError(
        `stepfork: the recording has no answer for this call of ${label}`,
        details,
      )
    case 'altered-recording':
      return new ReplayMismatchError(
        `stepfork: the recorded call of ${label} was altered after it was recorded`,
        details,
      )
    case 'reordered':
      return new ReplayMismatchError(
        `stepfork: ${label} was called before calls that come first in the recording`,
        details,
      )
    case 'changed-input':
    case 'changed-target':
    case 'extra':
    case 'matched':
    case 'unplanned':
      return new ReplayMismatchError(
        `stepfork: the recording has no such call of ${label}, so it was refused`,
        details,
      )
  }
}
