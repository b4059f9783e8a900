/** `record()`: one recording in this process, beside others if need be, told apart by async context. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { recordedRun } from '../capture/recorded-run.ts'
import type { Json } from '../json/value.ts'
import { emptyPlan } from '../plan/plan-of.ts'
import { assertWritable } from '../store/assert-writable.ts'
import { openJournal, readJournal } from '../store/journal-file.ts'
import { makeFolder } from '../store/make-folder.ts'
import type { RawSite } from '../trace/journal.ts'
import { finishRecording, newEventId, newRunId } from './finish-recording.ts'
import { type KeptValue, keptValue } from './kept-value.ts'
import { createRun, type RunEnd } from './run-agent.ts'

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
}

/**
 * Calls `fn` and writes down every call it makes; resolves or rejects as it does. Throws BUNDLE_EXISTS and WRITE_FAILED
 * before it is called, NOT_JSON when the input has no JSON form. When the function fails its error is the one thrown, even
 * if the recording cannot be written.
 */
export async function recordRun<R>(options: RecordOptions, fn: (...args: never[]) => R): Promise<Awaited<R>> {
  const runId = newRunId()
  const path = bundlePath(options, runId)
  const args = options.args ?? ('input' in options ? [options.input] : [])
  const input = keptValue(options.args === undefined ? (options.input ?? null) : { args: options.args })
  assertWritable(path, options.overwrite)
  const part = `${path}.part`
  rmSync(part, { recursive: true, force: true })
  makeFolder(part)
  const end = await runWithJournal(join(part, 'journal.jsonl'), options.agent, runId, () =>
    fn(...(args as never[])),
  )
  try {
    finish({ options, path, part, runId, input })
  } catch (error) {
    if (end.status !== 'failed') throw error
  }
  if (end.status === 'failed') throw end.error
  return (end as Extract<RunEnd, { status: 'completed' }>).value as Awaited<R>
}

async function runWithJournal(
  file: string,
  agent: string,
  runId: string,
  body: () => unknown,
): Promise<RunEnd> {
  const journal = openJournal(file)
  const run = createRun({
    plan: emptyPlan(agent, runId),
    payloads: null,
    write: fact => {
      journal.append(fact)
      journal.flush()
    },
    onDivergence: 'continue',
    stallMs: 1000,
    ownsProcess: false,
    timers: null,
  })
  try {
    return await run.toEnd(body)
  } finally {
    journal.close()
  }
}

interface Finish {
  readonly options: RecordOptions
  readonly path: string
  readonly part: string
  readonly runId: string
  readonly input: KeptValue
}

function finish({ options, path, part, runId, input }: Finish): void {
  const run = recordedRun(readJournal(join(part, 'journal.jsonl')), {
    runId,
    input: input.value as Json,
    inputFindings: input.findings ?? [],
    newId: newEventId,
    locate: ({ site }) => (site === undefined ? null : rawSiteText(site)),
  })
  finishRecording({
    path,
    overwrite: options.overwrite ?? false,
    agentName: options.agent,
    runId,
    run,
    agent: null,
    environment: process.env,
  })
  rmSync(part, { recursive: true, force: true })
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

/** In this process nobody has the source maps; the first frame that is no package and not Node's own will do. */
function rawSiteText({ frames }: RawSite): string | null {
  const frame = frames.find(text => !/node_modules|node:|\(<anonymous>\)/.test(text))
  const match = /^at (?:async )?(?:(.*) \()?(.*?):(\d+):(\d+)\)?$/.exec(frame ?? '')
  if (match === null) return null
  const [, name, file, line, column] = match
  return `${file}:${line}:${column}${name === undefined ? '' : ` ${name}`}`
}
