/** From the folder of a recording, or the facts of a replay that is kept, to a bundle. */
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type RecordedRun, recordedRun } from '../capture/recorded-run.ts'
import type { Json } from '../json/value.ts'
import { readJournal } from '../store/journal-file.ts'
import { journalOf, readRecordingHead } from '../store/recording-folder.ts'
import { writeBundle } from '../store/write-bundle.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import type { OriginHeader } from '../trace/origin.ts'
import type { RecordingHead } from '../trace/recording-head.ts'
import { createRedactor, type Redactor } from '../trace/redactor.ts'
import { version } from '../version.ts'
import { keptValue } from './kept-value.ts'

export interface FinishOptions {
  readonly overwrite: boolean
  /** Where the agent's code made a call: `file:line:column function`. */
  readonly locate: (made: MadeFact) => string | null
  /** Absent: of the profile that the recording began with. */
  readonly redactor?: Redactor
}

export interface Finished {
  readonly head: RecordingHead
  readonly run: RecordedRun
  readonly facts: readonly Fact[]
}

/** The head of a recording that begins. Throws NOT_JSON when the input has no JSON form. */
export function newRecording(
  agentName: string,
  input: unknown,
  agent: OriginHeader['agent'],
  environment: NodeJS.ProcessEnv,
  redactor: Redactor = createRedactor('strong'),
): RecordingHead {
  const { value, findings = [], marks } = keptValue(input, redactor)
  return {
    format: 'stepfork-recording',
    version: 1,
    agent_name: redactor.redact(agentName).value as string,
    run_id: newRunId(),
    input: value,
    // Whoever runs the agent numbers secrets anew.
    findings: findings.map(({ path, reason }) => ({ path, reason })),
    ...(marks !== undefined && { marks }),
    redaction: redactor.profile,
    agent: redactor.redact(agent as Json).value as OriginHeader['agent'],
    environment: environmentOf(environment),
  }
}

/** Writes the bundle of a recording's folder, and then removes the folder. Throws BUNDLE_EXISTS, WRITE_FAILED and NOT_JSON. */
export function finishRecording(folder: string, path: string, options: FinishOptions): Finished {
  const finished = writeRecording(folder, path, options)
  rmSync(folder, { recursive: true, force: true })
  return finished
}

/** As finishRecording, but leaves the folder as it is. */
export function writeRecording(folder: string, path: string, options: FinishOptions): Finished {
  const head = readRecordingHead(folder)
  const facts = readJournal(journalOf(folder))
  const run = recordedRun(facts, {
    runId: head.run_id,
    input: head.input,
    inputFindings: head.findings,
    inputMarks: head.marks,
    newId: newEventId,
    locate: options.locate,
  })
  writeRun(path, run, head, options)
  return { head, run, facts }
}

export interface WriteOptions {
  readonly overwrite: boolean
  readonly redactor?: Redactor
  /** The run that was replayed to make this one. */
  readonly parentRunId?: string | null
}

/** Throws BUNDLE_EXISTS, WRITE_FAILED and NOT_JSON. */
export function writeRun(
  path: string,
  run: RecordedRun,
  head: RecordingHead,
  { overwrite, redactor = createRedactor(head.redaction ?? 'compatible'), parentRunId = null }: WriteOptions,
): void {
  writeBundle(
    path,
    {
      manifest: {
        run_id: head.run_id,
        agent_name: head.agent_name,
        created_at: run.beganAt,
        status: run.status,
        failure: run.failure,
        environment: { python: null, os: process.platform, stepfork_version: version },
        totals: { duration_ms: run.durationMs },
      },
      events: run.events,
      origin: { header: originHeader(head, run.services, parentRunId), log: run.log },
      values: run.values,
      exchanges: run.exchanges,
      determinism: run.determinism,
    },
    { overwrite, redactor },
  )
}

export function newEventId(): string {
  return `evt_${randomUUID().replaceAll('-', '')}`
}

function newRunId(): string {
  return `run_${randomUUID().replaceAll('-', '')}`
}

function originHeader(
  { agent, environment, redaction = 'compatible' }: RecordingHead,
  services: RecordedRun['services'],
  parentRunId: string | null,
): OriginHeader {
  return {
    format: 'stepfork-origin',
    version: 1,
    recorder: { name: 'stepfork', version, node: process.version },
    redaction,
    keeps_order: true,
    keeps_values: true,
    parent_run_id: parentRunId,
    agent,
    environment: { ...environment, ...(Object.keys(services).length > 0 && { services }) },
  }
}

function environmentOf(environment: NodeJS.ProcessEnv): OriginHeader['environment'] {
  return {
    tz: environment.TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale: environment.LC_ALL ?? environment.LANG ?? null,
    node_env: environment.NODE_ENV ?? null,
  }
}
