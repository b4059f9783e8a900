/**
 * A run that was stopped before its end: what comes behind is not missing. At its first divergence the session let that call take nothing; the report puts it beside the
 * recorded call that it stands for, as it does in a run that goes on.
 */
import { differences } from '../json/compare.ts'
import { identityOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { Fact } from '../trace/journal.ts'
import { comparedInput, comparedLiveInput } from './compared.ts'
import type { Evidence } from './evidence.ts'
import type { LiveCalls, LiveOutcome } from './live-calls.ts'

export type StopReason = 'first-divergence' | 'by-hand'

/** Why the run was stopped so that what comes behind was not reached; null when it was not. */
export function stopReason(facts: readonly Fact[]): StopReason | null {
  const stopped = facts.find(fact => fact.kind === 'stopped')
  return stopped?.kind !== 'stopped' || stopped.why === 'too-many-calls' ? null : stopped.why
}

/** The same calls, but for the last one of a stopped run. */
export function besideRecorded(evidence: Evidence, calls: LiveCalls): LiveCalls {
  const last = calls.lives.at(-1)
  if (stopReason(evidence.facts) !== 'first-divergence' || last?.verdict !== 'extra') return calls
  const open = evidence.plan.calls.filter(call => call.inside === null && !calls.byCall.has(call.number))
  const found = nearest(evidence, last, open)
  if (found === null) return calls
  const lives = [...calls.lives.slice(0, -1), found]
  return { ...calls, lives, byCall: new Map([...calls.byCall, [found.call!, found]]) }
}

function nearest(evidence: Evidence, live: LiveOutcome, open: readonly PlannedCall[]): LiveOutcome | null {
  const identity = identityOf(live.made.target)
  const sameName = open.find(call => call.identity === identity)
  if (sameName !== undefined) return { ...live, call: sameName.number, verdict: 'changed-input' }
  const [next] = open
  if (next === undefined || next.target.kind !== live.made.target.kind) return null
  const isSameInput =
    differences(comparedInput(evidence, next), comparedLiveInput(evidence, live.made)).length === 0
  return isSameInput ? { ...live, call: next.number, verdict: 'changed-target' } : null
}
