import { largest } from '../json/largest.ts'
import { labelOf } from '../plan/identity.ts'
import { nestedCalls } from '../plan/nested-calls.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { Fact } from '../trace/journal.ts'
import { blockedEndOf, blockedFindings } from './blocked-findings.ts'
import { callFindings, inOrder } from './call-findings.ts'
import { callList } from './call-list.ts'
import { withCauses } from './causes.ts'
import { derivedFindings } from './derived-findings.ts'
import { type EndJudgement, judgeEnd } from './end-findings.ts'
import type { Evidence } from './evidence.ts'
import { isBehindFailure, trajectoryFindings } from './expectation.ts'
import { type LiveCalls, liveCallsOf } from './live-calls.ts'
import { notStarted } from './not-started.ts'
import type { CallOutcome, Divergence, ExitCode, Note, RunOutcome, RunVerdict, Totals } from './outcome.ts'
import { besideRecorded, type StopReason, stopReason } from './stopped.ts'

/** The verdict of one replay, but for what only the caller knows: the agent, the elapsed time. */
export type Judgement = Omit<RunOutcome, 'bundle' | 'agent' | 'isolation' | 'durationMs'>

export function judgeRun(evidence: Evidence): Judgement {
  const { plan, facts } = evidence
  const calls = besideRecorded(evidence, liveCallsOf(facts))
  const expected = expectedCalls(evidence, calls)
  const stopped = stopReason(facts)
  const reached = stopped !== null ? expected.filter(call => calls.byCall.has(call.number)) : expected
  const end = judgeEnd(evidence, calls)
  const ofCalls = callFindings(evidence, calls, reached).filter(found => !isBehindFailure(evidence, found))
  const before = [...inOrder([...ofCalls, ...derivedFindings(evidence, calls)]), ...blockedFindings(evidence)]
  const isGreen = before.length === 0 && end.findings.length === 0
  const divergences = withCauses(before, isGreen ? trajectoryFindings(evidence, calls) : end.findings, {
    refusedLive: refusedLiveOf(facts),
    blockedEnd: blockedEndOf(facts),
    isCutShort: end.isCutShort,
    lastMade: largest(0, calls.byCall.keys()),
    recordedResult: number => evidence.recordedResult(plan.calls[number - 1]!),
  })
  const list = callList(evidence, calls, reached, divergences)
  const error = errorOf(evidence, calls, end)
  const verdict = verdictOf(divergences, end, error)
  return {
    mode: plan.mode,
    order: plan.order,
    verdict,
    exitCode: exitCodeOf(verdict, evidence),
    totals: totalsOf(expected.length, list),
    calls: list,
    divergences,
    output: { ...end.output, answersAreRecorded: list.every(isRecorded) },
    failure: end.reproduced ? (plan.end?.failure ?? null) : null,
    liveCalls: list.filter(call => call.answer === 'executed').length,
    notes: [
      ...end.notes,
      ...notReached(stopped, expected.length - reached.length),
      ...notesOf(evidence, calls),
    ],
    served: servedIn(facts),
    rules: plan.calls.some(call => call.exchange !== undefined) ? [HEADERS] : [],
    waits: waitsOf(facts),
    error,
  }
}

/** Said of every run over HTTP: a key, an id of a request and the like are its library's affair. */
const HEADERS = 'HTTP headers not compared'

/** A call recorded inside another's body is expected only when that body runs, or when the agent made it itself. */
function expectedCalls({ plan }: Evidence, { byCall }: LiveCalls): PlannedCall[] {
  const nested = nestedCalls(plan.calls)
  return plan.calls.filter((call, index) => nested[index] === 0 || byCall.has(call.number))
}

function refusedLiveOf(facts: readonly Fact[]): number | null {
  const settled = facts.find(fact => fact.kind === 'settled')
  return settled?.kind === 'settled' && settled.status === 'failed' ? settled.refusedLive : null
}

function errorOf(evidence: Evidence, calls: LiveCalls, end: EndJudgement): RunOutcome['error'] {
  const failedStart = notStarted(evidence)
  if (failedStart !== null) return failedStart
  if (evidence.expectation?.kind === 'fixed' && evidence.plan.end?.status !== 'failed') return nothingToFix()
  const hasRecordedCalls = evidence.plan.calls.length > 0
  const nothing = calls.lives.length === 0 && (evidence.isScript || !hasRecordedCalls) && !end.isCutShort
  if (!nothing || (end.output.compared && !hasRecordedCalls)) return null
  return {
    code: 'NOTHING_COMPARED',
    message: hasRecordedCalls
      ? `the agent made none of the ${evidence.plan.calls.length} recorded calls, so nothing was compared`
      : 'the recording has no calls and no output, so there is nothing to compare',
    hint: hasRecordedCalls
      ? 'Is this the right file? A script is replayed as it runs; a function must be exported to be called.'
      : null,
  }
}

function nothingToFix(): NonNullable<RunOutcome['error']> {
  return {
    code: 'USAGE',
    message: '--expect fixed needs a recording of a run that failed; this one did not',
    hint: 'Record the failing run, fix the agent, then replay that recording with --expect fixed.',
  }
}

function verdictOf(
  divergences: readonly Divergence[],
  end: EndJudgement,
  error: RunOutcome['error'],
): RunVerdict {
  if (error !== null) return 'error'
  if (divergences.length > 0) return 'diverged'
  return end.reproduced ? 'reproduced' : 'matched'
}

function exitCodeOf(verdict: RunVerdict, evidence: Evidence): ExitCode {
  if (evidence.processEnd.interrupted || stopReason(evidence.facts) === 'by-hand') return 130
  if (verdict === 'error') return 2
  return verdict === 'diverged' ? 1 : 0
}

function totalsOf(recorded: number, calls: readonly CallOutcome[]): Totals {
  const count = (...verdicts: readonly CallOutcome['verdict'][]): number =>
    calls.filter(call => verdicts.includes(call.verdict)).length
  return {
    recorded,
    matched: count('matched'),
    changed: count('changed-input', 'changed-target'),
    reordered: count('reordered', 'not-awaited'),
    missing: count('missing'),
    extra: count('extra', 'exhausted'),
    refused: count('refused', 'no-result', 'altered-recording', 'derived-differs'),
    executed: calls.filter(call => call.answer === 'executed').length,
  }
}

function isRecorded({ answer }: CallOutcome): boolean {
  return answer !== 'executed' && answer !== 'edited'
}

/** What comes after the place where a run was stopped is not missing. */
function notReached(why: StopReason | null, calls: number): Note[] {
  const detail = String(calls)
  switch (why) {
    case null:
      return []
    case 'first-divergence':
      return calls === 0 ? [] : [{ code: 'not-reached', detail }]
    case 'by-hand':
      return [{ code: 'stopped-by-hand', detail }]
  }
}

function notesOf({ facts, plan }: Evidence, calls: LiveCalls): Note[] {
  const written = facts.flatMap(fact =>
    fact.kind === 'note' ? [{ code: fact.code, detail: fact.detail }] : [],
  )
  const afterEnd = calls.lives.filter(live => live.made.afterEnd && live.call === null)
  const late =
    afterEnd.length === 0 ? [] : [{ code: 'call-after-end' as const, detail: String(afterEnd.length) }]
  const open = calls.lives.filter(live => live.made.answer === 'pending' && live.verdict === 'matched')
  const unanswered = open.map(live => ({
    code: 'recorded-call-unanswered' as const,
    detail: String(live.call),
  }))
  const ended = facts.find(fact => fact.kind === 'ended')
  const alive = ended?.kind === 'ended' && plan.mode !== 'record' ? ended.alive : []
  const kept = alive.length === 0 ? [] : [{ code: 'process-kept-alive' as const, detail: alive.join(', ') }]
  return [...written, ...late, ...unanswered, ...liveNotes(plan, calls), ...kept]
}

/** What was asked to run for real: with another input than recorded, or not at all. */
function liveNotes({ live, calls: recorded }: Plan, { lives }: LiveCalls): Note[] {
  const changed = lives.filter(one => one.verdict === 'changed-input' && (one.isExecuted || one.isEdited))
  const known = new Set([...recorded, ...lives.map(one => one.made)].map(call => labelOf(call.target)))
  const unused = live === 'all' ? [] : live.filter(name => !known.has(name))
  return [
    ...changed.map(one => ({
      code: one.isEdited ? ('edited-other-input' as const) : ('executed-other-input' as const),
      detail: `${one.call} ${labelOf(one.made.target)}`,
    })),
    ...unused.map(name => ({ code: 'live-unused' as const, detail: name })),
  ]
}

function waitsOf(facts: readonly Fact[]): RunOutcome['waits'] {
  const ended = facts.find(fact => fact.kind === 'ended')
  return ended?.kind === 'ended'
    ? { held: ended.held ?? 0, released: ended.released, parked: ended.parked }
    : { held: 0, released: 0, parked: 0 }
}

function servedIn(facts: readonly Fact[]): RunOutcome['served'] {
  const served = facts.find(fact => fact.kind === 'served')
  return served?.kind === 'served' ? { ids: served.ids, times: served.times } : { ids: 0, times: 0 }
}
