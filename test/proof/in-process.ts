/** A test agent recorded and replayed in this process, with real timers, and judged. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceTool } from '../../src/boundary/trace-tool.ts'
import { parseJson } from '../../src/json/parse-json.ts'
import type { Json } from '../../src/json/value.ts'
import type { Evidence } from '../../src/outcome/evidence.ts'
import { type Judgement, judgeRun } from '../../src/outcome/judge-run.ts'
import type { RunEnd } from '../../src/run/run-end.ts'
import { watchTimers } from '../../src/run/timer-watch.ts'
import type { Fact } from '../../src/trace/journal.ts'
import { createPrng } from '../agents/prng.ts'
import { type Agent, createToolbox } from '../agents/toolbox.ts'
import { createWorld } from '../agents/world.ts'
import { type PreparedReplay, prepareReplay, type ReplayChanges, recordHere } from './run-here.ts'

const options = { ownsProcess: false, timers: watchTimers() } as const

export interface Recording {
  readonly path: string
  readonly facts: readonly Fact[]
  /** How long the run took. */
  readonly ms: number
  dispose(): void
}

export async function record(agent: Agent, seed: number): Promise<Recording> {
  const path = join(tmpdir(), `stepfork-proof-${randomUUID()}.sftrace`)
  const world = createWorld(seed)
  const tools = createToolbox(traceTool, world, createPrng(seed))
  const { facts } = await recordHere(path, () => agent(tools), options)
  world.close()
  return { path, facts, ms: msOf(facts), dispose: () => rmSync(path, { recursive: true, force: true }) }
}

export interface Replayed {
  readonly judgement: Judgement
  readonly facts: readonly Fact[]
  /** `missing fetch 2`, `output-differs output` …; empty when the replay matched. */
  readonly findings: readonly string[]
  /** Answers that only an idle run got. */
  readonly released: number
  readonly ms: number
  readonly isHung: boolean
}

/** Other latencies and other local work than in the recording. `pace` slows the world down, where a call is executed. */
export async function replay(
  agent: Agent,
  recording: Recording,
  seed: number,
  changes: ReplayChanges & { readonly pace?: number } = {},
): Promise<Replayed> {
  const prepared = prepareReplay(recording.path, options, changes)
  const world = createWorld(seed, changes.pace)
  const tools = createToolbox(traceTool, world, createPrng(seed))
  const end = prepared.run.toEnd(() => agent(tools))
  const isHung = await isHanging(end)
  if (isHung) prepared.run.settleNow({ status: 'stalled' })
  await end
  world.close()
  const judgement = judgeRun(evidenceOf(prepared))
  prepared.payloads.close()
  const { facts } = prepared
  return { judgement, facts, findings: findingsOf(judgement), ...waitsOf(facts), ms: msOf(facts), isHung }
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

function evidenceOf({ plan, payloads, facts }: PreparedReplay): Evidence {
  return {
    plan,
    facts,
    processEnd: { exitCode: null, signal: null, silentMs: null, interrupted: false },
    recordedInput: call => parseJson(payloads.rawField(call.request, 'input')),
    recordedResult: call =>
      call.outcome === null ? null : parseJson(payloads.rawField(call.outcome, 'output')),
    recordedExchange: () => null,
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
