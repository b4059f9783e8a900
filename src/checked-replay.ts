/** The story of `replay()` and `recorded()` as tests use them: the outcome, with an assertion that prints the report. */
import { existsSync } from 'node:fs'
import { parseAgentSpec } from './agent-spec.ts'
import { StepforkError } from './errors.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import type { Order } from './plan/plan.ts'
import { replayBundle } from './replay.ts'
import { replayHere } from './replay-here.ts'
import { PIPED } from './report/page.ts'
import { prettyReporter } from './report/pretty.ts'
import { recordRun } from './run/record-run.ts'

export interface TestReplayOptions<I = never> {
  /** An agent file (`file#export`), replayed in a process of its own, or a function, replayed in this one. */
  readonly agent: string | ((input: I) => unknown)
  readonly order?: Order
  readonly compareOutput?: boolean
  /** Milliseconds without a call or an answer; default 60,000. */
  readonly timeoutMs?: number
}

export interface CheckedOutcome extends RunOutcome {
  /** Throws an Error whose message is the report, unless the run matched or failed as recorded. */
  assertMatched(): void
}

/** Replays a bundle. A divergence is no rejection: it is in the outcome. */
export async function replay<I = never>(
  path: string,
  options: TestReplayOptions<I>,
): Promise<CheckedOutcome> {
  const outcome =
    typeof options.agent === 'string'
      ? await replayFile(path, options.agent, options)
      : await replayHere(path, options.agent as (...args: never[]) => unknown, options)
  return { ...outcome, assertMatched: () => assertMatched(outcome) }
}

/**
 * Calls `fn(...args)` against the recording at `path` and gives back what it returned, or throws what it threw when it failed
 * as recorded; throws with the report when it diverged. Where there is no recording yet it is made, but never in CI: there a
 * missing one fails (BUNDLE_NOT_FOUND).
 */
export async function recorded<A extends unknown[], R>(
  path: string,
  fn: (...args: A) => R,
  ...args: A
): Promise<Awaited<R>> {
  if (existsSync(path)) return replayed(path, async (): Promise<Awaited<R>> => await fn(...args))
  if (isCI()) throw notRecorded(path)
  const options = { agent: fn.name || 'agent', output: path, args }
  return recordRun(options, fn as unknown as (...given: never[]) => R)
}

async function replayed<R>(path: string, call: () => Promise<R>): Promise<R> {
  const ends: PromiseSettledResult<R>[] = []
  const agent = async (): Promise<R> => {
    const [end] = await Promise.allSettled([call()])
    ends.push(end)
    return settledValue(end)
  }
  const outcome = await replayHere(path, agent, { keepsOutput: true })
  assertMatched(outcome)
  return settledValue(ends[0]!)
}

function settledValue<R>(end: PromiseSettledResult<R>): R {
  if (end.status === 'rejected') throw end.reason
  return end.value
}

/** `CI=false` is how one says on a CI machine that it is none. */
function isCI(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '')
}

function replayFile(path: string, agent: string, options: TestReplayOptions): Promise<RunOutcome> {
  return replayBundle(path, {
    program: { kind: 'file', spec: parseAgentSpec(agent), loader: 'bundle', argv: [] },
    mode: 'frozen',
    order: options.order ?? 'causal',
    live: [],
    stopAtFirst: false,
    compareOutput: options.compareOutput ?? true,
    timeoutMs: options.timeoutMs ?? 60_000,
    stallMs: 1000,
    maxCalls: null,
    memoryBytes: null,
    allowNet: [],
    save: null,
    overwrite: false,
    env: process.env,
    cwd: process.cwd(),
  })
}

function assertMatched(outcome: RunOutcome): void {
  if (outcome.exitCode !== 0) throw new Error(reportOf(outcome))
}

function reportOf(outcome: RunOutcome): string {
  return prettyReporter({ ...PIPED, verbose: false, quiet: false, single: true }).run(outcome)
}

function notRecorded(path: string): StepforkError {
  return new StepforkError(
    'BUNDLE_NOT_FOUND',
    `${path} is not there, and in CI nothing is recorded`,
    'Run the test once on your machine without CI set, and commit the bundle.',
  )
}
