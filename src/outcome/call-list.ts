/** The calls of a run in recorded order, each live call that the recording does not know where it was made. */
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import { callEvidence } from './call-evidence.ts'
import { callSummary } from './call-summary.ts'
import type { Evidence } from './evidence.ts'
import { type LiveCalls, type LiveOutcome, lastCallBefore } from './live-calls.ts'
import type { CallKind, CallOutcome, Divergence } from './outcome.ts'

/** Beyond this many calls nobody reads the list, and the payloads stay on disk. */
const MOST_SUMMARIES = 200

export function callList(
  evidence: Evidence,
  calls: LiveCalls,
  expected: readonly PlannedCall[],
  divergences: readonly Divergence[],
): CallOutcome[] {
  const sidesOf = callEvidence(evidence)
  const overlapping = overlapsOf(evidence)
  const summarise = expected.length <= MOST_SUMMARIES
  const kinds = new Map(divergences.filter(isOfCall).map(found => [keyOf(found), found.kind as CallKind]))
  const recorded = expected.map(call => recordedCall(call, calls.byCall.get(call.number) ?? null))
  const unknown = calls.lives.filter(live => live.call === null && !live.made.afterEnd).map(unknownCall)
  return [...recorded, ...unknown].sort((a, b) => a.place - b.place).map(({ outcome }) => outcome)

  function recordedCall(
    call: PlannedCall,
    live: LiveOutcome | null,
  ): { place: number; outcome: CallOutcome } {
    const verdict = kinds.get(`${call.number}`) ?? (live === null ? 'missing' : 'matched')
    return {
      place: call.number,
      outcome: {
        number: call.number,
        live: live?.made.live ?? null,
        kind: call.target.kind,
        label: labelOf(call.target),
        step: call.step,
        verdict,
        answer: live === null ? 'none' : answerOf(live, evidence),
        servedFrom: live === null || !isServed(live) ? null : call.number,
        source:
          divergences.find(found => found.call === call.number && isOfCall(found))?.source ?? sourceOf(live),
        summary: summarise ? callSummary(call, shownInput(call, live)) : '',
        failed: call.error !== null,
        overlaps: overlapping.get(call.number) ?? null,
        ...(sidesOf !== null && { sides: sidesOf(call, live) }),
      },
    }
  }

  /** Of a call that matched only where all evidence is asked for. */
  function sourceOf(live: LiveOutcome | null): CallOutcome['source'] {
    return sidesOf === null || live?.made.site === undefined ? null : evidence.locate(live.made.site)
  }

  /** A rule that matched says less than what was asked. */
  function shownInput(call: PlannedCall, live: LiveOutcome | null): Json {
    const asked = call.match === undefined ? undefined : live?.made.input
    return asked ?? evidence.recordedInput(call)
  }

  function unknownCall(live: LiveOutcome): { place: number; outcome: CallOutcome } {
    return {
      place: lastCallBefore(calls, live) + 0.5 + live.made.live / 1e9,
      outcome: {
        number: null,
        live: live.made.live,
        kind: live.made.target.kind,
        label: labelOf(live.made.target),
        step: null,
        verdict: kindOf(live.verdict),
        answer: answerOf(live, evidence),
        servedFrom: null,
        source: divergences.find(found => found.live === live.made.live)?.source ?? null,
        summary: '',
        failed: false,
        overlaps: null,
        ...(sidesOf !== null && { sides: sidesOf(null, live) }),
      },
    }
  }
}

/** Where a divergence consumes nothing, a call may be refused for other reasons than being unknown. */
function kindOf(verdict: LiveOutcome['verdict']): CallKind {
  return verdict === 'matched' || verdict === 'unplanned' ? 'extra' : verdict
}

function isOfCall(found: Divergence): boolean {
  return found.call !== null || found.live !== null
}

function keyOf(found: Divergence): string {
  return found.call === null ? `live ${found.live}` : `${found.call}`
}

function isServed({ isExecuted, isEdited, isRefused }: LiveOutcome): boolean {
  return !isExecuted && !isEdited && !isRefused
}

function answerOf(live: LiveOutcome, { plan }: Evidence): CallOutcome['answer'] {
  if (live.isRefused) return 'refused'
  if (live.isEdited) return 'edited'
  if (live.isExecuted) return plan.mode === 'derived' ? 'derived' : 'executed'
  return live.made.answer === 'pending' ? 'none' : 'recorded'
}

/** For each call the earliest one that was still open when it was made; a cassette does not know. */
function overlapsOf({ plan }: Evidence): Map<number, number> {
  const overlaps = new Map<number, number>()
  const open = new Set<number>()
  let delivery = 0
  for (const call of plan.calls) {
    for (; delivery < call.due; delivery++) {
      const { call: ended, part } = plan.deliveries[delivery]!
      if (part === 'end') open.delete(ended + 1)
    }
    const first = open.values().next().value
    if (first !== undefined && call.inside === null && call.match === undefined)
      overlaps.set(call.number, first)
    open.add(call.number)
  }
  return overlaps
}
