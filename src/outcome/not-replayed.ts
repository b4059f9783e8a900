/** The outcome of a run that did not take place: its recording or its agent could not be loaded. */
import { isStepforkError } from '../errors.ts'
import type { RunOutcome } from './outcome.ts'

type Asked = Pick<RunOutcome, 'agent' | 'mode' | 'order' | 'durationMs'>

/** Verdict `error`, exit code 2. `path` as the user wrote it. */
export function notReplayed(path: string, asked: Asked, error: unknown): RunOutcome {
  return {
    ...asked,
    bundle: { path, agentName: null, runId: null, status: null },
    isolation: 'process',
    verdict: 'error',
    exitCode: 2,
    totals: {
      recorded: 0,
      matched: 0,
      changed: 0,
      reordered: 0,
      missing: 0,
      extra: 0,
      refused: 0,
      executed: 0,
    },
    calls: [],
    divergences: [],
    output: { compared: false, equal: null, answersAreRecorded: true, differences: [] },
    failure: null,
    liveCalls: 0,
    notes: [],
    served: { ids: 0, times: 0 },
    rules: [],
    waits: { held: 0, released: 0, parked: 0 },
    error: errorOf(error),
  }
}

/** Of what is no error of ours the whole stack is kept: it is a fault of stepfork, and to be reported. */
export function errorOf(error: unknown): NonNullable<RunOutcome['error']> {
  if (isStepforkError(error)) return { code: error.code, message: error.message, hint: error.hint }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return {
    code: 'INTERNAL',
    message,
    hint: 'This is a fault of stepfork. Please report it with the bundle, if you may share it.',
  }
}
