/** How an agent's run against a cassette ended, and what that makes of its trace. */
import { readTrace } from './read-trace.ts'
import type { ShapeProblem } from './shape-error.ts'
import type { Trace } from './trace.ts'

/** What was seen of the end, wherever the agent ran. */
export type AgentEnd =
  | { readonly kind: 'returned'; readonly value: unknown }
  /** `reason`: name and message of what was thrown. */
  | { readonly kind: 'threw'; readonly reason: string }
  | { readonly kind: 'timeout' }
  /** Its process ended, or can never go on. */
  | { readonly kind: 'exited'; readonly reason: string }
  | { readonly kind: 'not-started'; readonly reason: string }
  | { readonly kind: 'limit' }

export interface RunFailure {
  readonly kind: 'limit' | 'timeout' | 'threw' | 'no-trace' | 'too-many-steps' | 'exited' | 'not-started'
  readonly reason: string
  /** no-trace: what is missing or wrong in what was returned. */
  readonly problems?: readonly ShapeProblem[]
}

export interface RunFrame {
  readonly task: string
  /** Seconds. */
  readonly timeout: number
  readonly maxSteps: number
  /** `agent_version` of a failure: module and export. */
  readonly agentVersion: string
}

export const RUN_ID = 'replay-run'

/** Always a valid trace: the agent's own, cut where it is too long, or one that says why there is none. */
export function concludeRun(
  end: AgentEnd,
  frame: RunFrame,
): { readonly trace: Trace; readonly failure: RunFailure | null } {
  switch (end.kind) {
    case 'returned':
      return returned(end.value, frame)
    case 'limit':
      return failed({ kind: 'limit', reason: 'invalid replay limit' }, frame)
    case 'timeout':
      return failed(
        { kind: 'timeout', reason: `sandbox timeout after ${secondsText(frame.timeout)}s` },
        frame,
      )
    case 'threw':
    case 'exited':
    case 'not-started':
      return failed(end, frame)
  }
}

export function areLimits(timeout: unknown, maxSteps: unknown): boolean {
  const isTimeout = typeof timeout === 'number' && timeout > 0 && timeout <= LONGEST_TIMEOUT
  return isTimeout && typeof maxSteps === 'number' && Number.isSafeInteger(maxSteps) && maxSteps >= 0
}

/** Seconds; a timer cannot be set for longer. */
const LONGEST_TIMEOUT = 2 ** 31 / 1000 - 1

function returned(value: unknown, frame: RunFrame): ReturnType<typeof concludeRun> {
  const problems: ShapeProblem[] = []
  const trace = readTrace(value, problems)
  if (trace === null || problems.length > 0 || !isComplete(value, trace)) return noTrace(problems, frame)
  if (trace.steps.length <= frame.maxSteps) return { trace, failure: null }
  const reason = `the agent took ${trace.steps.length} steps, and the limit is ${frame.maxSteps}`
  return {
    trace: { ...trace, outcome: 'failed', steps: trace.steps.slice(0, frame.maxSteps) },
    failure: { kind: 'too-many-steps', reason },
  }
}

/** A trace has all its members, defaults filled in (`toTrace` does that); an object that merely looks like one is none. */
function isComplete(value: unknown, trace: Trace): boolean {
  const { steps } = value as Trace
  return trace.steps.every((step, at) => Object.keys(step).every(name => Object.hasOwn(steps[at]!, name)))
}

function noTrace(problems: readonly ShapeProblem[], frame: RunFrame): ReturnType<typeof concludeRun> {
  const incomplete = { path: '', message: 'lacks members of its steps; make it with toTrace' }
  const reason = 'agent did not return a Trace'
  return failed({ kind: 'no-trace', reason, problems: problems.length > 0 ? problems : [incomplete] }, frame)
}

function failed(failure: RunFailure, frame: RunFrame): ReturnType<typeof concludeRun> {
  const step = {
    kind: 'state_diff',
    idx: 0,
    ts: '2026-01-01T00:00:00Z',
    run_id: RUN_ID,
    parent_idx: null,
    meta: { failure: failure.reason },
    diff: {},
  } as const
  const { task, agentVersion: agent_version, maxSteps } = frame
  const steps = maxSteps === 0 ? [] : [step]
  return { trace: { run_id: RUN_ID, agent_version, task, outcome: 'failed', steps }, failure }
}

/** What was thrown, in one line; an error whose own text throws must not take the run with it. */
export function reasonOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `Error: ${JSON.stringify(thrown) ?? String(thrown)}`
    const name = String(thrown.name)
    const message = String(thrown.message)
    return message === '' ? name : `${name}: ${message}`
  } catch {
    return 'Error'
  }
}

/** Six significant digits, as C prints `%g`: 0.1, 1, 1e-05. */
export function secondsText(seconds: number): string {
  const [digits = '', power = ''] = seconds.toExponential(5).split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 6) {
    const sign = exponent < 0 ? '-' : '+'
    return `${Number(digits)}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  return String(Number(seconds.toPrecision(6)))
}
