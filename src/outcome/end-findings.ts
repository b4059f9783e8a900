/** How the run ended, against how the recorded one ended: divergences of the run as a whole. */
import { type Difference, differences } from '../json/compare.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { Fact } from '../trace/journal.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import { createRedactor } from '../trace/redactor.ts'
import type { Finding } from './call-findings.ts'
import { compared } from './compared.ts'
import type { Evidence } from './evidence.ts'
import type { LiveCalls } from './live-calls.ts'
import type { DivergenceFacts, Kind, Note, RunOutcome } from './outcome.ts'
import { runFinding } from './run-finding.ts'

export interface EndJudgement {
  readonly findings: readonly Finding[]
  readonly notes: readonly Note[]
  readonly output: Pick<RunOutcome['output'], 'compared' | 'equal' | 'differences'>
  /** The recorded failure happened again. */
  readonly reproduced: boolean
  /** The run did not reach its end by itself, or threw: what comes after was not reached. */
  readonly isCutShort: boolean
}

const NOT_COMPARED = { compared: false, equal: null, differences: [] }

export function judgeEnd(evidence: Evidence, calls: LiveCalls): EndJudgement {
  const settled = evidence.facts.find(fact => fact.kind === 'settled' || fact.kind === 'stalled')
  const stopped = evidence.facts.find(fact => fact.kind === 'stopped')
  if (stopped?.kind === 'stopped') {
    if (stopped.why === 'too-many-calls') return cutShort('too-many-calls', { limit: stopped.limit ?? 0 })
    return { ...judgement([]), isCutShort: true }
  }
  if (settled?.kind === 'settled') return judgeSettled(evidence, settled)
  if (settled?.kind === 'stalled') return stalled(evidence, calls)
  const { exitCode, signal, silentMs } = evidence.processEnd
  if (silentMs !== null) return cutShort('agent-timeout', { silentMs, ...lastCalls(evidence, calls) })
  return cutShort('agent-exit', { code: exitCode, signal })
}

type Completed = Extract<Fact, { status: 'completed'; kind: 'settled' }>
type Failed = Extract<Fact, { status: 'failed'; kind: 'settled' }>

function judgeSettled(evidence: Evidence, settled: Completed | Failed): EndJudgement {
  if (evidence.expectation?.kind === 'fixed') return fixed(evidence, settled)
  return settled.status === 'completed' ? completed(evidence, settled) : failed(evidence, settled)
}

function completed(evidence: Evidence, settled: Completed): EndJudgement {
  const { plan, expectation } = evidence
  if (expectation?.kind === 'output')
    return heldAgainst(evidence, redacted(expectation.output, plan.redaction), settled)
  if (plan.end?.status === 'failed') {
    const { type, message } = recordedFailure(evidence)
    const facts = {
      recordedErrorName: type,
      recordedErrorMessage: message,
      errorName: null,
      errorMessage: null,
    }
    return judgement([runFinding('failure-differs', facts)])
  }
  if (!evidence.compareOutput || plan.end === null) return judgement([])
  if (plan.end.output === null) return judgement([], [{ code: 'output-lost', detail: '' }])
  const recorded = evidence.recordedOutput()
  if (recorded === null && !plan.nullOutputCounts)
    return judgement([], [{ code: 'output-not-recorded', detail: '' }])
  return heldAgainst(evidence, recorded, settled)
}

/** As the output is. */
function redacted(value: Json, profile: ProfileName): Json {
  return createRedactor(profile).redact(value).value
}

function heldAgainst(evidence: Evidence, recorded: Json, settled: Completed): EndJudgement {
  const { plan, expectation } = evidence
  if (settled.outputNotJson !== undefined)
    return judgement([runFinding('output-not-json', { what: settled.outputNotJson })])
  // An expected output comes from a file of plain JSON.
  const isExpected = expectation?.kind === 'output'
  const then = isExpected ? recorded : compared(evidence, recorded, plan.end?.outputMarks)
  const now = isExpected ? settled.output : compared(evidence, settled.output, settled.marks)
  const differing = differences(then, now, { jsonTexts: !plan.keepsOrder })
  const facts = isExpected ? { isExpected: true } : {}
  const findings = differing.length === 0 ? [] : [outputFinding(recorded, settled.output, differing, facts)]
  return {
    ...judgement(findings),
    output: { compared: true, equal: differing.length === 0, differences: differing },
  }
}

function outputFinding(
  recorded: Finding['recorded'],
  actual: Finding['actual'],
  differing: readonly Difference[],
  facts: Finding['facts'],
): Finding {
  return { ...runFinding('output-differs', facts), label: 'output', recorded, actual, differences: differing }
}

/** The recording pins a fault: green is every end but that one, and a refusal behind it only says that nothing is recorded there. */
function fixed(evidence: Evidence, settled: Completed | Failed): EndJudgement {
  const recorded = recordedFailure(evidence)
  const note = { code: 'fixed', detail: recorded.type } as const
  if (settled.status === 'completed') return judgement([], [note])
  if (settled.refusedLive !== null) return { ...judgement([], [note]), isCutShort: true }
  const end = failed(evidence, settled)
  if (!end.reproduced) return end
  const facts = { recordedErrorName: recorded.type, recordedErrorMessage: settled.error.message }
  return { ...end, reproduced: false, findings: [thrownFinding(evidence, 'not-fixed', settled, facts)] }
}

function failed(evidence: Evidence, settled: Failed): EndJudgement {
  const { plan, expectation } = evidence
  const { name, message } = settled.error
  const facts = () => {
    const stack = settled.stack === null ? [] : evidence.mapStack(settled.stack)
    return { errorName: name, errorMessage: message, stack }
  }
  if (plan.end?.status !== 'failed' || expectation?.kind === 'output') {
    const found = thrownFinding(evidence, 'agent-error', settled, facts())
    return { ...judgement([found]), isCutShort: true }
  }
  const recorded = recordedFailure(evidence)
  const recordedFacts = { recordedErrorName: recorded.type, recordedErrorMessage: recorded.message }
  const sameMessage = recorded.message === message || (message === '' && recorded.message === name)
  if (name === recorded.type && (sameMessage || !plan.hasTriggers)) {
    // The Python implementation compares names only, and its messages are Python's own words.
    const notes: Note[] = sameMessage ? [] : [{ code: 'message-differs', detail: message }]
    return { ...judgement([], notes), reproduced: true, isCutShort: true }
  }
  const found = thrownFinding(evidence, 'failure-differs', settled, { ...facts(), ...recordedFacts })
  return { ...judgement([found]), isCutShort: true }
}

/** A finding at the line that threw. */
function thrownFinding(
  evidence: Evidence,
  kind: Finding['kind'],
  { stack }: Failed,
  facts: Finding['facts'],
): Finding {
  const source = stack === null ? null : evidence.locate({ frames: framesOf(stack) })
  return { ...runFinding(kind, facts), source }
}

function framesOf(stack: string): string[] {
  return stack.split('\n').slice(1, 11)
}

function recordedFailure({ plan }: Evidence): { type: string; message: string } {
  return plan.end?.failure ?? { type: 'Error', message: '' }
}

function stalled(evidence: Evidence, calls: LiveCalls): EndJudgement {
  const isRecorded = evidence.plan.end?.failure?.type === 'AgentStalled'
  if (isRecorded) return { ...judgement([]), reproduced: true, isCutShort: true }
  return cutShort('agent-stalled', lastCalls(evidence, calls))
}

function lastCalls({ facts }: Evidence, { lives }: LiveCalls): DivergenceFacts {
  const answered = new Set(
    facts.flatMap(fact => (fact.kind === 'delivered' && fact.part === 'end' ? [fact.live] : [])),
  )
  const open = lives.filter(live => !answered.has(live.made.live))
  const last = lives.at(-1)
  return {
    lastCall: last === undefined ? null : labelOf(last.made.target),
    openCalls: open.slice(0, 10).map(live => labelOf(live.made.target)),
  }
}

function cutShort(kind: Kind, facts: DivergenceFacts): EndJudgement {
  return { ...judgement([runFinding(kind, facts)]), isCutShort: true }
}

function judgement(findings: readonly Finding[], notes: readonly Note[] = []): EndJudgement {
  return { findings, notes, output: NOT_COMPARED, reproduced: false, isCutShort: false }
}
