/** `record()`: one recording in this process, beside others if need be, told apart by async context. */
import { join } from 'node:path'
import { isStepforkError, StepforkError } from '../errors.ts'
import { emptyPlan } from '../plan/plan-of.ts'
import { assertWritable } from '../store/assert-writable.ts'
import { openFactWriter } from '../store/fact-writer.ts'
import { createRecordingFolder, journalOf } from '../store/recording-folder.ts'
import { secretsOf } from '../trace/known-secrets.ts'
import type { RecordingHead } from '../trace/recording-head.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import { createRedactor, type Redactor } from '../trace/redactor.ts'
import { watchEnvironment } from './environment-secrets.ts'
import { finishRecording, newRecording } from './finish-recording.ts'
import { rawSiteText } from './raw-site.ts'
import { createRun } from './run-agent.ts'
import type { RunEnd } from './run-end.ts'

export interface RecordOptions<A extends readonly unknown[] = readonly unknown[]> {
  /** Name of the agent. */
  readonly agent: string
  /** A bundle (`….sftrace`), or a folder to put one in; `{agent}` and `{runId}` stand for the two. Default `traces`. */
  readonly output?: string
  /** The one argument of the function, recorded as the run's input. */
  readonly input?: A[0]
  /** Or several arguments, recorded as `{"args": […]}`. */
  readonly args?: A
  readonly overwrite?: boolean
  /** `compatible`: only what the Python implementation hides, so that it can replay the bundle. Default `strong`. */
  readonly redaction?: ProfileName
}

/**
 * Calls `fn` and writes down every call it makes; resolves or rejects as it does. Throws BUNDLE_EXISTS and WRITE_FAILED
 * before it is called, NOT_JSON when the input has no JSON form. What cannot be written while it runs stops the
 * recording, not the run. When the function fails its error is the one thrown, even if the recording cannot be finished; else
 * that is what is thrown, with what the function returned as its `result`.
 */
export async function recordRun<R>(options: RecordOptions, fn: (...args: never[]) => R): Promise<Awaited<R>> {
  const args = options.args ?? ('input' in options ? [options.input] : [])
  const input = options.args === undefined ? (options.input ?? null) : { args: options.args }
  const { redaction = 'strong' } = options
  const redactor = createRedactor(redaction, watchEnvironment(process.env))
  const writer = writingRedactor(redaction)
  const head = newRecording(options.agent, input, null, process.env, redactor)
  const path = bundlePath(options, head.run_id)
  assertWritable(path, options.overwrite)
  const part = `${path}.part`
  createRecordingFolder(part, head)
  const { end, failure } = await runWithJournal(part, head, redactor, () => fn(...(args as never[])))
  try {
    if (failure !== null) throw failure
    finishRecording(part, path, {
      overwrite: options.overwrite ?? false,
      locate: rawSiteText,
      redactor: writer,
    })
  } catch (error) {
    if (end.status !== 'failed') throw withResult(error, end, part)
  }
  if (end.status === 'failed') throw end.error
  return (end as Extract<RunEnd, { status: 'completed' }>).value as Awaited<R>
}

/**
 * For the bundle, of facts that are redacted: knows what was known at the beginning. A secret that showed itself as one only
 * later is none in what was said before, here as in a replay, which could not match the call otherwise.
 */
function writingRedactor(redaction: ProfileName): Redactor {
  const known = secretsOf(process.env)
  return createRedactor(redaction, () => known)
}

/** What `fn` has done is not lost to a full disk. */
function withResult(cause: unknown, end: RunEnd, part: string): unknown {
  if (!isStepforkError(cause)) return cause
  const hint = `What was recorded is in ${part}: stepfork record --recover makes a bundle of it.`
  const error = new StepforkError(cause.code as 'WRITE_FAILED', cause.message, hint, { cause })
  const result = end.status === 'completed' ? end.value : undefined
  return Object.defineProperty(error, 'result', { value: result })
}

interface JournaledEnd {
  readonly end: RunEnd
  readonly failure: StepforkError | null
}

async function runWithJournal(
  part: string,
  head: RecordingHead,
  redactor: Redactor,
  body: () => unknown,
): Promise<JournaledEnd> {
  const journal = openFactWriter(journalOf(part), redactor)
  const run = createRun({
    plan: emptyPlan(head.agent_name, head.run_id, redactor.profile),
    redactor,
    payloads: null,
    write: journal.write,
    onDivergence: 'continue',
    stallMs: 1000,
    ownsProcess: false,
    timers: null,
  })
  try {
    return { end: await run.toEnd(body), failure: journal.failure }
  } finally {
    journal.close()
  }
}

function bundlePath({ agent, output = 'traces' }: RecordOptions, runId: string): string {
  const stem = fileStem(agent)
  const path = output.replaceAll('{agent}', stem).replaceAll('{runId}', runId)
  return path.endsWith('.sftrace') ? path : join(path, `${stem}-${runId}.sftrace`)
}

/** As the Python implementation makes a file name of an agent's name, but never a hidden one. */
export function fileStem(agent: string): string {
  return agent.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'agent'
}
