/** What a run is held against besides, or instead of, its recorded end: `--expect-output` and `--expect`. */
import type { Finding } from './call-findings.ts'
import type { Evidence } from './evidence.ts'
import type { LiveCalls } from './live-calls.ts'
import { runFinding } from './run-finding.ts'
import { unmetExpectations } from './trajectory.ts'

/** One finding for each assertion that does not hold; a run that diverged is red already and is not asked. */
export function trajectoryFindings(evidence: Evidence, { lives }: LiveCalls): Finding[] {
  const { expectation, plan } = evidence
  if (expectation?.kind !== 'trajectory') return []
  const reached = lives
    .filter(live => !live.isRefused && live.made.afterEnd !== true)
    .map(({ made, call }) => ({
      kind: made.target.kind,
      label: made.target.kind === 'tool' ? made.target.name : made.target.model,
      input: made.input ?? (call === null ? null : evidence.recordedInput(plan.calls[call - 1]!)),
    }))
  return unmetExpectations(expectation.trajectory, reached, plan.redaction).map(what =>
    runFinding('expectation-failed', { what }),
  )
}

/** With `--expect fixed`: a call made when all recorded ones had been, where the recording ended in the failure. */
export function isBehindFailure({ expectation, plan }: Evidence, found: Finding): boolean {
  if (expectation?.kind !== 'fixed' || (found.kind !== 'extra' && found.kind !== 'exhausted')) return false
  const last = plan.calls.findLast(call => call.inside === null)?.number ?? 0
  return (found.facts.after ?? 0) >= last
}
