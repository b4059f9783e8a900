import { ReplayExhaustedError, ReplayMismatchError, ReplayPolicyError } from '../errors.ts'
import type { Plan } from '../plan/plan.ts'
import type { LiveCall } from '../session/live-call.ts'

/** The error that a refused call throws into the agent. The report says it in full; this must do where the agent prints it. */
export function refusalError(
  live: LiveCall,
  label: string,
  plan: Plan,
): ReplayMismatchError | ReplayPolicyError {
  const call = live.call === null ? null : plan.calls[live.call]!.number
  const details = { kind: live.verdict, call, live: live.number, label }
  switch (live.verdict) {
    case 'refused':
      return new ReplayPolicyError(
        plan.mode === 'forbidden'
          ? `stepfork: ${label} was called, and mode forbidden allows no call`
          : `stepfork: ${label} was recorded with policy ${plan.calls[live.call!]!.policy} and may not be replayed`,
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
