/** Writes what a recording saw as a bundle. */
import { randomUUID } from 'node:crypto'
import type { RecordedRun } from '../capture/recorded-run.ts'
import { writeBundle } from '../store/write-bundle.ts'
import type { OriginHeader } from '../trace/origin.ts'
import { version } from '../version.ts'

export interface FinishedRecording {
  readonly path: string
  readonly overwrite: boolean
  readonly agentName: string
  readonly runId: string
  /** The run that was replayed to make this one. */
  readonly parentRunId?: string
  readonly run: RecordedRun
  readonly agent: OriginHeader['agent']
  readonly environment: NodeJS.ProcessEnv
}

/** Throws BUNDLE_EXISTS, WRITE_FAILED and NOT_JSON. */
export function finishRecording(recording: FinishedRecording): void {
  const { run } = recording
  writeBundle(
    recording.path,
    {
      manifest: {
        run_id: recording.runId,
        agent_name: recording.agentName,
        created_at: run.beganAt,
        status: run.status,
        failure: run.failure,
        environment: { python: null, os: process.platform, stepfork_version: version },
        totals: { duration_ms: run.durationMs },
      },
      events: run.events,
      origin: { header: originHeader(recording), log: run.log },
      values: run.values,
    },
    { overwrite: recording.overwrite },
  )
}

export function newRunId(): string {
  return `run_${randomUUID().replaceAll('-', '')}`
}

export function newEventId(): string {
  return `evt_${randomUUID().replaceAll('-', '')}`
}

function originHeader({ agent, environment, parentRunId }: FinishedRecording): OriginHeader {
  return {
    format: 'stepfork-origin',
    version: 1,
    recorder: { name: 'stepfork', version, node: process.version },
    redaction: 'compatible',
    keeps_order: true,
    parent_run_id: parentRunId ?? null,
    agent,
    environment: {
      tz: environment.TZ ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      locale: environment.LC_ALL ?? environment.LANG ?? null,
      node_env: environment.NODE_ENV ?? null,
    },
  }
}
