import type { PlannedCall } from '../plan/plan.ts'
import type { Verdict } from '../trace/journal.ts'
import type { LiveRequest } from './live-call.ts'

/** Why a call that takes this recorded one is refused; null when it is not. */
export function refusalOf(call: PlannedCall): Verdict | null {
  if (call.treatment !== 'refuse') return null
  if (call.refusal === 'altered-recording') return 'altered-recording'
  return call.refusal === 'lost' ? 'no-result' : 'refused'
}

/** How a call differs from the recorded one that it borrows. */
export function unequalTo(call: PlannedCall, request: LiveRequest): Verdict {
  return call.identity === request.identity ? 'changed-input' : 'changed-target'
}
