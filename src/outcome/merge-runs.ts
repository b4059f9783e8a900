import type { ExitCode, Outcome, RunOutcome, RunVerdict } from './outcome.ts'

/** The worst exit code counts: 130, 2, 3, 1, 0. */
const WORST_FIRST: readonly ExitCode[] = [130, 2, 3, 1, 0]
const WORST_VERDICT_FIRST: readonly RunVerdict[] = ['error', 'diverged', 'reproduced', 'matched']

/** Many runs as one outcome. Without any run: nothing was compared, exit 2. */
export function mergeRuns(version: string, runs: readonly RunOutcome[]): Outcome {
  const exitCode = WORST_FIRST.find(code => runs.some(run => run.exitCode === code)) ?? 2
  const verdict =
    WORST_VERDICT_FIRST.find(candidate => runs.some(run => run.verdict === candidate)) ?? 'error'
  return { stepfork: version, shape: 1, verdict, exitCode, runs }
}
