import { ReplayMismatchError, type ReplayPolicyError } from '../errors.ts'
import { type LiveOutcome, liveCallsOf } from '../outcome/live-calls.ts'
import { labelOf } from '../plan/identity.ts'
import type { Plan } from '../plan/plan.ts'
import type { Fact } from '../trace/journal.ts'
import { refusalError } from './refusal.ts'

/** The first call that was not as recorded, as the error that it was refused with; null when there is none. */
export function firstDivergence(
  facts: readonly Fact[],
  plan: Plan,
): ReplayMismatchError | ReplayPolicyError | null {
  const live = liveCallsOf(facts).lives.find(isDivergent)
  return live === undefined ? null : errorOf(live, plan)
}

function isDivergent({ made, verdict, isExecuted }: LiveOutcome): boolean {
  if (made.afterEnd === true) return false
  // What runs for real by request is not held to its recorded input.
  if (isExecuted && verdict === 'changed-input') return false
  return verdict !== 'matched' || made.hastyBefore !== undefined
}

function errorOf(
  { made, call, verdict, isRefused }: LiveOutcome,
  plan: Plan,
): ReplayMismatchError | ReplayPolicyError {
  const label = labelOf(made.target)
  if (isRefused)
    return refusalError({ number: made.live, call: call === null ? null : call - 1, verdict }, label, plan)
  const kind = verdict === 'matched' ? 'not-awaited' : verdict
  const what =
    kind === 'not-awaited'
      ? `before call ${made.hastyBefore} was answered`
      : `otherwise than recorded (${kind})`
  return new ReplayMismatchError(`stepfork: ${label} was called ${what}`, {
    kind,
    call,
    live: made.live,
    label,
  })
}
