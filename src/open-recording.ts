/** What a replay runs against: a bundle, or a cassette, which lies in a bundle's clothes in the run's own folder. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { planOfCassette } from './cassette/plan-of-cassette.ts'
import { parseCassette } from './cassette/read-cassette.ts'
import { StepforkError } from './errors.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import { partialBundle } from './partial-bundle.ts'
import type { Mode, Order, Plan } from './plan/plan.ts'
import { planOf } from './plan/plan-of.ts'
import { openPayloads, type Payloads } from './store/payloads.ts'
import { readBundle } from './store/read-bundle.ts'
import { isRecordingFolder } from './store/recording-folder.ts'
import type { Bundle } from './trace/bundle.ts'
import type { OriginHeader } from './trace/origin.ts'

export interface Recording {
  readonly payloads: Payloads
  readonly shown: RunOutcome['bundle']
  /** Zone, locale and the like under which it was made; null when nobody kept them. */
  readonly environment: OriginHeader['environment'] | null
  /** What is to be said of it whatever the run does. */
  readonly notes: RunOutcome['notes']
  /** Made when the agent is ready: planning a long recording takes time that its process can start in. */
  readonly plan: () => Plan
}

export interface RecordingOptions {
  readonly mode: Mode
  readonly order: Order
  readonly live: readonly string[]
}

/** A file named `.json` is a cassette, anything else a bundle. Raises what reading one raises; `folder` is for what has to be written. */
export function openRecording(path: string, folder: string, options: RecordingOptions): Recording {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  const isCassette = isFile && extname(path) === '.json'
  if (isCassette) return openCassette(path, join(folder, 'cassette'), options)
  return openBundle(path, isRecordingFolder(path) ? partialBundle(path, folder) : path, options)
}

/** `path` as the user named it, `at` where it is read. */
function openBundle(path: string, at: string, options: RecordingOptions): Recording {
  const bundle = readBundle(at)
  if (bundle.events.length === 0) throw emptyBundle(path)
  const payloads = openPayloads(bundle.path)
  const { agent_name: agentName, run_id: runId, status } = bundle.manifest
  return {
    payloads,
    shown: { path, agentName, runId, status },
    environment: bundle.origin?.header.environment ?? null,
    notes: integrityNotes(bundle),
    plan: () => planOf(bundle, payloads.rawField, options),
  }
}

/** Strictly: a member that is dropped in silence would hide a mistake in a test. */
function openCassette(path: string, folder: string, { mode, live }: RecordingOptions): Recording {
  const cassette = parseCassette(readFileSync(path, 'utf8'), { file: path, strictShapes: true })
  const name = basename(path, extname(path))
  const { plan, lines } = planOfCassette(cassette, { mode, live, folder, name })
  mkdirSync(folder)
  writeFileSync(join(folder, 'events.jsonl'), lines)
  return {
    payloads: openPayloads(folder),
    shown: { path, agentName: name, runId: null, status: null },
    environment: null,
    notes: [],
    plan: () => plan,
  }
}

/** Calls are checked one by one; this is said for what has no call, such as the run's input. */
function integrityNotes({ integrity }: Bundle): RunOutcome['notes'] {
  return integrity === 'mismatch' ? [{ code: 'recording-altered', detail: '' }] : []
}

function emptyBundle(path: string): StepforkError {
  const hint = 'It was cut off, or nothing was recorded: record the run again.'
  return new StepforkError('BUNDLE_INVALID', `${join(path, 'events.jsonl')} is empty: there is no run`, hint)
}
