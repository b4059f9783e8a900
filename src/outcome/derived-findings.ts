/** Mode derived: what a tool's own body made of the recorded input, against what it made then. */
import { differences } from '../json/compare.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { DeliveredFact } from '../trace/journal.ts'
import type { Finding } from './call-findings.ts'
import { comparedLiveResult, comparedResult } from './compared.ts'
import type { Evidence } from './evidence.ts'
import type { LiveCalls, LiveOutcome } from './live-calls.ts'

export function derivedFindings(evidence: Evidence, { lives }: LiveCalls): Finding[] {
  const { plan, facts } = evidence
  if (plan.mode !== 'derived') return []
  const ends = new Map(
    facts.flatMap(fact => (fact.kind === 'delivered' && fact.part === 'end' ? [[fact.live, fact]] : [])),
  )
  return lives.flatMap(live => {
    const end = ends.get(live.made.live)
    const isDerived = live.isExecuted && live.verdict === 'matched' && end !== undefined
    return isDerived ? derivedFinding(evidence, live, plan.calls[live.call! - 1]!, end) : []
  })
}

function derivedFinding(
  evidence: Evidence,
  live: LiveOutcome,
  call: PlannedCall,
  end: DeliveredFact,
): Finding[] {
  const recorded = call.error === null ? evidence.recordedResult(call) : failure(call.error)
  const actual = end.error === undefined ? (end.value ?? null) : failure(end.error)
  const then = call.error === null ? comparedResult(evidence, call) : recorded
  const now = end.error === undefined ? comparedLiveResult(evidence, end) : actual
  const differing = differences(then, now, { jsonTexts: !evidence.plan.keepsOrder })
  if (differing.length === 0) return []
  return [
    {
      kind: 'derived-differs',
      call: call.number,
      live: live.made.live,
      label: labelOf(call.target),
      occurrences: 1,
      recorded,
      actual,
      source: live.made.site === undefined ? null : evidence.locate(live.made.site),
      differences: differing,
      facts: {},
    },
  ]
}

/** A failure is compared by its name and message, as the bundle has it. */
function failure({ name, message }: { readonly name: string; readonly message: string }): Json {
  return { error_type: name, message }
}
