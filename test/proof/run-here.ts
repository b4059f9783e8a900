/** A run recorded in this process into a real bundle, and a bundle replayed in this process: no agent file, no child. */
import { recordedRun } from '../../src/capture/recorded-run.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { emptyPlan, type PlanOptions, planOf } from '../../src/plan/plan-of.ts'
import { newEventId, newRecording, writeRun } from '../../src/run/finish-recording.ts'
import { createRun, type Run, type RunOptions } from '../../src/run/run-agent.ts'
import type { RunEnd } from '../../src/run/run-end.ts'
import { openPayloads, type Payloads } from '../../src/store/payloads.ts'
import { readBundle } from '../../src/store/read-bundle.ts'
import type { Fact } from '../../src/trace/journal.ts'

export type HereOptions = Pick<RunOptions, 'timers' | 'ownsProcess'>

export interface RecordedHere {
  readonly facts: readonly Fact[]
  readonly end: RunEnd
}

/** Records the run as a bundle at `path`. */
export async function recordHere(
  path: string,
  agent: () => unknown,
  options: HereOptions,
): Promise<RecordedHere> {
  const facts: Fact[] = []
  const plan = emptyPlan('proof', 'run')
  const write = (fact: Fact): void => void facts.push(fact)
  const run = createRun({ ...COMMON, ...options, plan, payloads: null, write })
  const end = await run.toEnd(agent)
  save(path, facts)
  return { facts, end }
}

export interface PreparedReplay {
  readonly plan: Plan
  readonly payloads: Payloads
  readonly facts: readonly Fact[]
  readonly run: Run
}

export interface ReplayChanges extends Partial<PlanOptions> {
  readonly onDivergence?: 'continue' | 'stop'
}

/** The caller runs it and closes its payloads. */
export function prepareReplay(
  path: string,
  options: HereOptions,
  changes: ReplayChanges = {},
): PreparedReplay {
  const bundle = readBundle(path)
  const payloads = openPayloads(bundle.path)
  const plan = planOf(bundle, payloads.rawField, { mode: 'frozen', order: 'causal', ...changes })
  const facts: Fact[] = []
  const write = (fact: Fact): void => void facts.push(fact)
  const { onDivergence = 'continue' } = changes
  const run = createRun({ ...COMMON, ...options, onDivergence, plan, payloads, write })
  return { plan, payloads, facts, run }
}

const COMMON = { onDivergence: 'continue', stallMs: 1000 } as const

function save(path: string, facts: readonly Fact[]): void {
  const head = newRecording('proof', null, null, {})
  const run = recordedRun(facts, {
    runId: head.run_id,
    input: head.input,
    inputFindings: [],
    newId: newEventId,
    locate: () => null,
  })
  writeRun(path, run, head, { overwrite: false })
}
