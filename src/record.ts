/** The story of `record`: find the place, start the agent with an empty plan, and make a bundle of its journal. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { JOURNAL_FAILED } from './agent/child-job.ts'
import type { ProcessEnd } from './agent/watch-child.ts'
import {
  type LoadedProgram,
  nameOfProgram,
  originOf,
  type Program,
  shownProgram,
  startProgram,
} from './agent-program.ts'
import type { RecordedRun } from './capture/recorded-run.ts'
import { isStepforkError, StepforkError } from './errors.ts'
import { missingAttributes } from './git-attributes.ts'
import type { Mark } from './json/mark.ts'
import type { Json } from './json/value.ts'
import { createLocator } from './load/locate-source.ts'
import { createStackMapper, type StackMapper } from './load/map-stack.ts'
import { notStarted } from './outcome/not-started.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import { labelOf } from './plan/identity.ts'
import { emptyPlan } from './plan/plan-of.ts'
import { pathArgument } from './report/shell-command.ts'
import { revivedInput } from './revived-input.ts'
import { watchEnvironment } from './run/environment-secrets.ts'
import { finishRecording, newRecording } from './run/finish-recording.ts'
import { fileStem } from './run/record-run.ts'
import { assertWritable } from './store/assert-writable.ts'
import { readJournal } from './store/journal-file.ts'
import { createRecordingFolder, isRecordingFolder, journalOf } from './store/recording-folder.ts'
import type { Failure, RunStatus } from './trace/bundle.ts'
import type { Fact } from './trace/journal.ts'
import type { RecordingHead } from './trace/recording-head.ts'
import type { ProfileName } from './trace/redaction-profile.ts'
import { createRedactor } from './trace/redactor.ts'
import type { Source } from './trace/source.ts'

export interface RecordOptions {
  readonly program: Program
  readonly name: string | null
  /** A bundle (`….sftrace`), a folder to put one in, or null: `traces/<agent>-<n>.sftrace`. */
  readonly output: string | null
  readonly overwrite: boolean
  /** Of an agent file; a command has its arguments. */
  readonly input: Json
  /** What in it JSON lacks; absent: nothing. */
  readonly inputMarks?: readonly Mark[] | undefined
  /** What counts as a secret; absent: strong. */
  readonly redaction?: ProfileName | undefined
  readonly timeoutMs: number
  /** Random bytes come from a seed, which is kept. */
  readonly seeded?: boolean
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly onStart?: () => void
}

export interface Recording {
  readonly path: string
  readonly agentName: string
  readonly agent: NonNullable<RunOutcome['agent']>
  readonly status: RunStatus
  readonly failure: Failure | null
  readonly calls: readonly { readonly kind: 'tool' | 'llm'; readonly label: string }[]
  /** What is not in the recording, in words: results that could not be kept, calls where nobody watches. */
  readonly unseen: readonly string[]
  /** It holds the seed of the random bytes of the run. */
  readonly isSeeded: boolean
  readonly end: ProcessEnd
  /** The `.gitattributes` that should name recordings and does not; null for most. */
  readonly gitAttributes: string | null
}

/** Throws BUNDLE_EXISTS and WRITE_FAILED before the agent has run, and what loading an agent throws. */
export async function recordAgent(options: RecordOptions): Promise<Recording> {
  const agentName = options.name ?? nameOfProgram(options.program)
  const path = bundlePath(options, agentName)
  assertWritable(path, options.overwrite)
  const part = `${path}.part`
  if (!options.overwrite) refuseCutOff(path, part)
  const shown = shownProgram(options.program, options.cwd)
  const redactor = createRedactor(options.redaction ?? 'strong', watchEnvironment(options.env))
  const head = withRedactedCommand(
    newRecording(
      agentName,
      revivedInput(runInput(options), options.inputMarks),
      originOf(shown),
      options.env,
      redactor,
    ),
  )
  createRecordingFolder(part, head)
  const { end, agent } = await runAgent(options, part, head)
  const located = createLocator(agent.bundle, options.cwd)
  const { run, facts } = recoverable(part, () => {
    if (end.exitCode === JOURNAL_FAILED) throw journalFailed()
    return finishRecording(part, path, {
      overwrite: options.overwrite,
      redactor,
      locate: ({ site }) => (site === undefined ? null : siteText(located(site.frames))),
    })
  })
  const gitAttributes = missingAttributes(path, options.cwd)
  return { path, agentName, agent: shown, end, gitAttributes, ...summaryOf(run, facts) }
}

/** A recording that was cut off is worth as much as another. */
function refuseCutOff(path: string, part: string): void {
  if (!isRecordingFolder(part)) return
  throw new StepforkError(
    'BUNDLE_EXISTS',
    `${part} holds a recording of ${path} that was cut off, or is still going on`,
    `Finish it: npx stepfork record --recover ${pathArgument(part)}; or pass --overwrite to drop it.`,
  )
}

/** What the agent has done is not lost where its recording cannot be finished. */
function recoverable<T>(part: string, finish: () => T): T {
  try {
    return finish()
  } catch (cause) {
    if (!isStepforkError(cause)) throw cause
    const hint = `What was recorded is in ${part}. Make room, then: npx stepfork record --recover ${pathArgument(part)}`
    throw new StepforkError(cause.code as 'WRITE_FAILED', cause.message, hint, { cause })
  }
}

function journalFailed(): StepforkError {
  return new StepforkError(
    'WRITE_FAILED',
    'the recording stopped before the run did: its journal could not be written',
  )
}

/** The command stands in the recording twice, and what is a secret in its arguments in neither place. */
function withRedactedCommand(head: RecordingHead): RecordingHead {
  if (head.agent === null || !('command' in head.agent)) return head
  return { ...head, agent: { command: (head.input as { argv: string[] }).argv } }
}

/** Of a command the arguments. */
export function runInput({ program, input }: Pick<RecordOptions, 'program' | 'input'>): Json {
  return program.kind === 'command' ? { argv: [...program.command] } : input
}

/** A run that never began leaves nothing behind; of any other the journal stays until the bundle is written. */
async function runAgent(options: RecordOptions, part: string, head: RecordingHead) {
  const { program, env, cwd } = options
  const journal = journalOf(part)
  const started = startProgram(program, { env, nodeOptions: [], cwd, keepsOutput: true })
  let agent: LoadedProgram | null = null
  let hasBegun = false
  try {
    agent = await started.load()
    options.onStart?.()
    const job = {
      plan: emptyPlan(head.agent_name, head.run_id, head.redaction),
      bundle: null,
      journal,
      inputMarks: options.inputMarks,
      onDivergence: 'continue' as const,
      stallMs: 1000,
      maxCalls: Number.MAX_SAFE_INTEGER,
      closedNetworkAllows: null,
      seeded: options.seeded === true,
    }
    const end = await agent.run(job, options.input, options.timeoutMs)
    if (end.exitCode !== JOURNAL_FAILED)
      throwIfNotStarted(readJournal(journal), end, createStackMapper(agent.bundle, options.cwd))
    hasBegun = true
    return { end, agent }
  } finally {
    started.kill()
    agent?.dispose()
    if (!hasBegun) rmSync(part, { recursive: true, force: true })
  }
}

function throwIfNotStarted(facts: readonly Fact[], processEnd: ProcessEnd, mapStack: StackMapper): void {
  const why = notStarted({ facts, processEnd, mapStack })
  if (why === null) return
  const error = new StepforkError(why.code as 'AGENT_IMPORT_FAILED', why.message, why.hint)
  throw processEnd.interrupted ? Object.assign(error, { exitCode: 130 }) : error
}

function bundlePath({ output, cwd }: RecordOptions, agentName: string): string {
  if (output?.endsWith('.sftrace')) return output
  const folder = output ?? 'traces'
  const stem = fileStem(agentName)
  for (let number = 1; ; number++) {
    const path = join(folder, `${stem}-${number}.sftrace`)
    if (!existsSync(join(cwd, path)) && !existsSync(join(cwd, `${path}.part`))) return path
  }
}

/** `file:line:column function`, as the origin log has it. */
export function siteText(source: Source | null): string | null {
  if (source === null) return null
  const place = `${source.file}:${source.line}:${source.column}`
  return source.function === null ? place : `${place} ${source.function}`
}

/** What `record` and `record --recover` tell of a run. */
export function summaryOf(
  run: RecordedRun,
  facts: readonly Fact[],
): Pick<Recording, 'status' | 'failure' | 'calls' | 'unseen' | 'isSeeded'> {
  return {
    status: run.status,
    failure: run.failure,
    calls: facts.flatMap(fact =>
      fact.kind === 'made' ? [{ kind: fact.target.kind, label: labelOf(fact.target) }] : [],
    ),
    isSeeded: facts.some(fact => fact.kind === 'seeded'),
    unseen: facts.flatMap(fact => (fact.kind === 'note' ? unseenBy(fact) : [])),
  }
}

function unseenBy({ code, detail }: Extract<Fact, { kind: 'note' }>): string[] {
  if (code === 'result-not-json') return [`the result of call ${detail}`]
  if (code === 'result-more-than-json') return [`what is more than data in the result of call ${detail}`]
  if (code === 'input-not-json') return [detail]
  if (code === 'connection-unseen') return [`the connection to ${detail}, which a replay refuses`]
  if (code === 'file-written') return [`the file ${detail}, which a replay writes as well`]
  return code === 'unwatched' ? [`calls and connections in ${detail}`] : []
}
