/** An agent recorded in this process into a real bundle, and that bundle replayed in this process, with real timers. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceTool } from '../../src/boundary/trace-tool.ts'
import { recordedRun } from '../../src/capture/recorded-run.ts'
import { parseJson } from '../../src/json/parse-json.ts'
import type { Json } from '../../src/json/value.ts'
import type { Evidence } from '../../src/outcome/evidence.ts'
import { type Judgement, judgeRun } from '../../src/outcome/judge-run.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { emptyPlan, type PlanOptions, planOf } from '../../src/plan/plan-of.ts'
import { finishRecording, newRunId } from '../../src/run/finish-recording.ts'
import { createRun, type RunEnd } from '../../src/run/run-agent.ts'
import { watchTimers } from '../../src/run/timer-watch.ts'
import { openPayloads, type Payloads } from '../../src/store/payloads.ts'
import { readBundle } from '../../src/store/read-bundle.ts'
import type { Fact } from '../../src/trace/journal.ts'
import { createPrng } from '../agents/prng.ts'
import { type Agent, createToolbox } from '../agents/toolbox.ts'
import { createWorld } from '../agents/world.ts'

const timers = watchTimers()

export interface Recording {
  readonly path: string
  readonly facts: readonly Fact[]
  readonly ms: number
  dispose(): void
}

export async function record(agent: Agent, seed: number): Promise<Recording> {
  const facts: Fact[] = []
  const world = createWorld(seed)
  const run = createRun({ ...common(facts), plan: emptyPlan('proof', 'run'), payloads: null })
  await run.toEnd(() => agent(createToolbox(traceTool, world, createPrng(seed))))
  world.close()
  const path = join(tmpdir(), `stepfork-proof-${randomUUID()}.sftrace`)
  save(path, facts)
  return { path, facts, ms: msOf(facts), dispose: () => rmSync(path, { recursive: true, force: true }) }
}

export interface Replayed {
  readonly judgement: Judgement
  readonly facts: readonly Fact[]
  /** `missing fetch`, `output-differs run` …; empty when the replay matched. */
  readonly findings: readonly string[]
  /** Answers that only an idle run got. */
  readonly released: number
  readonly ms: number
  readonly isHung: boolean
}

export interface ReplayChanges extends Partial<PlanOptions> {
  readonly onDivergence?: 'continue' | 'stop'
}

/** The world has other latencies than in the recording, should it be asked at all. */
export async function replay(
  agent: Agent,
  recording: Recording,
  seed: number,
  changes: ReplayChanges = {},
): Promise<Replayed> {
  const bundle = readBundle(recording.path)
  const payloads = openPayloads(bundle.path)
  const plan = planOf(bundle, payloads.rawField, { mode: 'frozen', order: 'causal', ...changes })
  const facts: Fact[] = []
  const world = createWorld(seed)
  const run = createRun({ ...common(facts), ...changes, plan, payloads })
  const end = run.toEnd(() => agent(createToolbox(traceTool, world, createPrng(seed))))
  const isHung = await isHanging(end)
  if (isHung) run.settleNow({ status: 'stalled' })
  await end
  world.close()
  const judgement = judgeRun(evidenceOf(plan, payloads, facts))
  payloads.close()
  return { judgement, facts, findings: findingsOf(judgement), ...waitsOf(facts), ms: msOf(facts), isHung }
}

function common(facts: Fact[]) {
  return {
    write: (fact: Fact) => void facts.push(fact),
    onDivergence: 'continue',
    stallMs: 1000,
    ownsProcess: false,
    timers,
  } as const
}

function save(path: string, facts: readonly Fact[]): void {
  const runId = newRunId()
  const run = recordedRun(facts, {
    runId,
    input: null,
    inputFindings: [],
    newId: () => `evt_${randomUUID().replaceAll('-', '')}`,
    locate: () => null,
  })
  finishRecording({
    path,
    overwrite: false,
    agentName: 'proof',
    runId,
    run,
    agent: null,
    environment: {},
  })
}

const HANG_MS = 8000

async function isHanging(end: Promise<RunEnd>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(true), HANG_MS).unref()
  })
  const isHung = await Promise.race([tooLong, end.then(() => false)])
  clearTimeout(timer)
  return isHung
}

function evidenceOf(plan: Plan, payloads: Payloads, facts: readonly Fact[]): Evidence {
  return {
    plan,
    facts,
    processEnd: { exitCode: null, signal: null, silentMs: null, interrupted: false },
    recordedInput: call => parseJson(payloads.rawField(call.request, 'input')),
    recordedResult: call =>
      call.outcome === null ? null : parseJson(payloads.rawField(call.outcome, 'output')),
    recordedOutput: (): Json =>
      plan.end?.output == null ? null : parseJson(payloads.rawField(plan.end.output, 'output')),
    locate: () => null,
    mapStack: () => [],
    isScript: false,
    compareOutput: true,
  }
}

function findingsOf({ divergences, error }: Judgement): string[] {
  const found = divergences.map(
    ({ kind, label, call }) => `${kind} ${label}${call === null ? '' : ` ${call}`}`,
  )
  return error === null ? found : [...found, error.code]
}

function waitsOf(facts: readonly Fact[]): { released: number } {
  const ended = facts.find(fact => fact.kind === 'ended')
  return { released: ended?.kind === 'ended' ? ended.released : 0 }
}

function msOf(facts: readonly Fact[]): number {
  return facts.find(fact => fact.kind === 'settled')?.at ?? 0
}
