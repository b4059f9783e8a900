/** `--save`: the run that a replay resulted in, executed calls with their new results, as a bundle of its own. */
import { completeFacts } from './capture/complete-facts.ts'
import { recordedRun } from './capture/recorded-run.ts'
import { StepforkError } from './errors.ts'
import type { Evidence } from './outcome/evidence.ts'
import { siteText } from './record.ts'
import { watchEnvironment } from './run/environment-secrets.ts'
import { newEventId, newRecording, writeRun } from './run/finish-recording.ts'
import type { OriginHeader } from './trace/origin.ts'
import { createRedactor } from './trace/redactor.ts'

/** What `--save` needs of the replay's options. */
export interface SaveOptions {
  readonly overwrite: boolean
  readonly env: NodeJS.ProcessEnv
}

export interface SavedRun {
  readonly evidence: Evidence
  readonly input: unknown
  readonly agent: OriginHeader['agent']
  /** Calls that were refused: a run with holes cannot be replayed. */
  readonly refused: number
}

/** Throws USAGE when calls were refused, WRITE_FAILED and BUNDLE_EXISTS. */
export function saveRun(
  path: string,
  { evidence, input, agent, refused }: SavedRun,
  options: SaveOptions,
): void {
  const { plan } = evidence
  if (refused > 0) {
    throw new StepforkError(
      'USAGE',
      `${path} was not written: ${refused} of the calls were refused and have no answer`,
      'Name the tools or models that may run for real with --live.',
    )
  }
  // What the recording hid by its profile is hidden in this one, too, and compared by the same.
  const redactor = createRedactor(plan.redaction, watchEnvironment(options.env))
  const head = newRecording(plan.agentName, input, agent, options.env, redactor)
  const run = recordedRun(completeFacts(evidence.facts, plan, evidence), {
    runId: head.run_id,
    input: head.input,
    inputFindings: head.findings,
    inputMarks: head.marks,
    newId: newEventId,
    locate: made => {
      if (made.site !== undefined) return siteText(evidence.locate(made.site))
      return made.call === null ? null : (plan.calls[made.call - 1]?.site ?? null)
    },
  })
  writeRun(path, run, head, { overwrite: options.overwrite, redactor, parentRunId: plan.runId })
}
