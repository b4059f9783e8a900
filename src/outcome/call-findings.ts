/** The divergences of single calls, each on its own; which of them is a cause is decided in causes.ts. */

import { differences } from '../json/compare.ts'
import { isJsonObject } from '../json/value.ts'
import { matcherDifferences } from '../match/matcher-differences.ts'
import { identityOf, labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import { comparedInput, comparedLiveInput } from './compared.ts'
import type { Evidence } from './evidence.ts'
import { type LiveCalls, type LiveOutcome, lastCallBefore } from './live-calls.ts'
import type { Divergence, DivergenceFacts, Kind } from './outcome.ts'
import { secretDifferences } from './secret-differences.ts'

export type Finding = Omit<Divergence, 'root' | 'causedBy'>

/** In the order in which a person would meet them: by live call, a missing call where the recording has it. */
export function callFindings(
  evidence: Evidence,
  calls: LiveCalls,
  expected: readonly PlannedCall[],
): Finding[] {
  const ofLives = foldEqualRefusals(calls.lives.flatMap(live => liveFinding(evidence, calls, live)))
  const moved = expected.flatMap(call => reorderedFinding(evidence, calls, call))
  const missing = expected
    .filter(call => !calls.byCall.has(call.number))
    .map(call => missingFinding(evidence, call))
  return inOrder([...ofLives, ...moved, ...missing])
}

function liveFinding(evidence: Evidence, calls: LiveCalls, live: LiveOutcome): Finding[] {
  if (live.made.afterEnd && live.call === null) return []
  switch (live.verdict) {
    case 'unplanned':
      return []
    case 'matched':
      return live.made.hastyBefore === undefined ? [] : [notAwaited(evidence, live)]
    case 'reordered':
      return [
        live.made.hastyBefore === undefined ? tooEarly(evidence, calls, live) : notAwaited(evidence, live),
      ]
    case 'changed-input':
    case 'changed-target':
      // What runs for real by request, or is answered by hand, is not held to its recorded input.
      if ((live.isExecuted || live.isEdited) && live.verdict === 'changed-input') return []
      return [changed(evidence, live, live.verdict)]
    case 'extra':
    case 'exhausted':
      return [unknown(evidence, calls, live, live.verdict)]
    case 'refused':
      return [finding(evidence, live, 'refused', refusedFacts(evidence, live))]
    case 'no-result':
      return [finding(evidence, live, 'no-result', { ...(isLost(evidence, live) && { isLost: true }) })]
    case 'altered-recording':
      return [finding(evidence, live, 'altered-recording', {})]
  }
}

function changed(evidence: Evidence, live: LiveOutcome, kind: 'changed-input' | 'changed-target'): Finding {
  const call = evidence.plan.calls[live.call! - 1]!
  const actual = live.made.input ?? null
  const found = finding(evidence, live, kind, {
    recordedLabels: [labelOf(call.target)],
    ...ambiguity(evidence, call.number),
    ...(live.made.otherSecrets !== undefined && { otherSecrets: live.made.otherSecrets }),
  })
  return {
    ...found,
    actual,
    differences: [
      ...secretDifferences(live.made),
      ...(call.match === undefined || !isJsonObject(actual)
        ? differences(comparedInput(evidence, call), comparedLiveInput(evidence, live.made), {
            jsonTexts: !evidence.plan.keepsOrder,
          })
        : matcherDifferences(call.match, actual)),
    ],
  }
}

/** Two equal calls that were open together shortly before: the recording cannot tell which answer belongs to which. */
function ambiguity({ plan }: Evidence, number: number): DivergenceFacts {
  const before = plan.calls.slice(Math.max(0, number - 20), number - 1)
  const isAmbiguous = before.some((one, at) =>
    before.some(
      (other, place) =>
        place > at &&
        other.identity === one.identity &&
        other.keys[0] === one.keys[0] &&
        overlaps(one, other),
    ),
  )
  return isAmbiguous ? { ambiguous: true } : {}
}

function overlaps(earlier: PlannedCall, later: PlannedCall): boolean {
  const end = earlier.parts.at(-1)
  return end === undefined || end >= later.due
}

function unknown(
  evidence: Evidence,
  calls: LiveCalls,
  live: LiveOutcome,
  kind: 'extra' | 'exhausted',
): Finding {
  const labels = [...new Set(evidence.plan.calls.map(call => labelOf(call.target)))].slice(0, 20)
  const after = lastCallBefore(calls, live)
  return {
    ...finding(evidence, live, kind, {
      recordedLabels: labels,
      after,
      ...ambiguity(evidence, after + 1),
      swallowed: live.isRefused && isSwallowed(evidence, live),
      ...(!live.isRefused && live.lentFrom !== null && { lentFrom: live.lentFrom }),
      ...(kind === 'exhausted' && { recordedTimes: recordedTimes(evidence, live) }),
    }),
    actual: live.made.input ?? null,
  }
}

function recordedTimes(evidence: Evidence, { made }: LiveOutcome): number {
  const { plan } = evidence
  const actual = comparedLiveInput(evidence, made)
  const identity = identityOf(made.target)
  const isSame = (call: PlannedCall): boolean =>
    differences(comparedInput(evidence, call), actual, { jsonTexts: !plan.keepsOrder }).length === 0
  return plan.calls.filter(call => call.identity === identity && isSame(call)).length
}

function isSwallowed({ facts }: Evidence, live: LiveOutcome): boolean {
  const settled = facts.find(fact => fact.kind === 'settled')
  if (settled?.kind !== 'settled') return false
  return settled.status === 'completed' || settled.refusedLive !== live.made.live
}

function refusedFacts({ plan }: Evidence, live: LiveOutcome): DivergenceFacts {
  const call = live.call === null ? null : plan.calls[live.call - 1]!
  const isByMode = plan.mode === 'forbidden' || call?.refusal === 'mode'
  return { by: isByMode ? 'mode' : 'policy', ...(call !== null && { policy: call.policy }) }
}

function isLost({ plan }: Evidence, { call }: LiveOutcome): boolean {
  return call !== null && plan.calls[call - 1]!.refusal === 'lost'
}

function notAwaited(evidence: Evidence, live: LiveOutcome): Finding {
  return finding(evidence, live, 'not-awaited', { before: live.made.hastyBefore! })
}

/** Only where a divergence consumes nothing: the call was refused, and no recorded call stands beside it. */
function tooEarly(evidence: Evidence, calls: LiveCalls, live: LiveOutcome): Finding {
  const earlier = calls.lives.filter(other => other.made.live < live.made.live)
  const made = new Set(earlier.map(other => other.call))
  const first = evidence.plan.calls.find(
    call => call.inside === null && call.order !== 'any' && !made.has(call.number),
  )
  return {
    ...finding(evidence, live, 'reordered', first === undefined ? {} : { after: first.number }),
    actual: live.made.input ?? null,
  }
}

/** One finding a move: on the late call when one came late, on the early one when it overtook several. */
function reorderedFinding(evidence: Evidence, calls: LiveCalls, call: PlannedCall): Finding[] {
  const live = calls.byCall.get(call.number)
  if (live === undefined || isFree(live)) return []
  const overtaken = lateOnes(calls, live.made.live)
  if (overtaken.length > 1) return [finding(evidence, live, 'reordered', { after: Math.max(...overtaken) })]
  const early = [...calls.givenUp].find(([, given]) => given.includes(call.number))?.[0]
  if (early === undefined || lateOnes(calls, early).length > 1) return []
  const overtaker = calls.lives.find(other => other.made.live === early)
  return [finding(evidence, live, 'reordered', overtaker?.call == null ? {} : { before: overtaker.call })]
}

/** Calls that were given up for this live one and came later all the same. */
function lateOnes(calls: LiveCalls, forLive: number): number[] {
  return (calls.givenUp.get(forLive) ?? []).filter(call => {
    const late = calls.byCall.get(call)
    return late !== undefined && !isFree(late)
  })
}

/** Its order does not count, which a recording made before the agent said so cannot know. */
function isFree({ made }: LiveOutcome): boolean {
  return made.order === 'any'
}

function missingFinding(evidence: Evidence, call: PlannedCall): Finding {
  return {
    kind: 'missing',
    call: call.number,
    live: null,
    label: labelOf(call.target),
    occurrences: 1,
    recorded: evidence.recordedInput(call),
    actual: null,
    source: null,
    differences: [],
    facts: {
      after: call.number - 1,
      ...ambiguity(evidence, call.number),
      ...(call.site !== null && { recordedSite: call.site }),
    },
  }
}

function finding(evidence: Evidence, live: LiveOutcome, kind: Kind, facts: DivergenceFacts): Finding {
  const call = live.call === null ? null : evidence.plan.calls[live.call - 1]!
  const recorded = call === null ? null : evidence.recordedInput(call)
  return {
    kind,
    call: call?.number ?? null,
    live: live.made.live,
    label: labelOf(live.made.target),
    occurrences: 1,
    recorded,
    actual: live.made.input ?? recorded,
    source: live.made.site === undefined ? null : evidence.locate(live.made.site),
    differences: [],
    facts: call?.exchange === undefined ? facts : { ...facts, isHttp: true },
  }
}

/** Equal refused calls in a row are one divergence, tried so many times. */
function foldEqualRefusals(findings: readonly Finding[]): Finding[] {
  const folded: Finding[] = []
  for (const next of findings) {
    const last = folded.at(-1)
    if (last !== undefined && isRepeat(last, next))
      folded[folded.length - 1] = { ...last, occurrences: last.occurrences + 1 }
    else folded.push(next)
  }
  return folded
}

function isRepeat(last: Finding, next: Finding): boolean {
  const isUnknown = (next.kind === 'extra' || next.kind === 'exhausted') && last.kind === next.kind
  return isUnknown && last.label === next.label && differences(last.actual, next.actual).length === 0
}

/** As a person would meet them. */
export function inOrder(findings: readonly Finding[]): Finding[] {
  // A missing call stands after the findings of the calls recorded before it.
  const place = (found: Finding): number => found.call ?? (found.facts.after ?? 0) + 0.5
  return [...findings].sort((a, b) => place(a) - place(b) || (a.live ?? 0) - (b.live ?? 0))
}
