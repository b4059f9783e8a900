/** The story of `replay`: read, plan, start the agent, let it run against the plan, read its journal, judge. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Answerer } from './agent/answer-questions.ts'
import type { RunJob } from './agent/child-job.ts'
import { JOURNAL_FAILED } from './agent/child-job.ts'
import { replayEnvironment } from './agent/environment.ts'
import type { ProcessEnd } from './agent/watch-child.ts'
import {
  type LoadedProgram,
  originOf,
  type Program,
  type StartedProgram,
  shownProgram,
  startProgram,
} from './agent-program.ts'
import { commandNotes } from './command-notes.ts'
import { StepforkError } from './errors.ts'
import type { Mark } from './json/mark.ts'
import type { Json } from './json/value.ts'
import { createLocator } from './load/locate-source.ts'
import { createStackMapper } from './load/map-stack.ts'
import { openRecording, type Recording } from './open-recording.ts'
import type { Evidence, Expectation } from './outcome/evidence.ts'
import { judgeRun } from './outcome/judge-run.ts'
import { errorOf, notReplayed } from './outcome/not-replayed.ts'
import type { Note, RunOutcome } from './outcome/outcome.ts'
import { real } from './patch.ts'
import type { Mode, Order, Plan } from './plan/plan.ts'
import { recordedPayloads } from './recorded-payloads.ts'
import { revivedInput } from './revived-input.ts'
import { watchEnvironment } from './run/environment-secrets.ts'
import { type SavedRun, saveRun } from './save-run.ts'
import { assertWritable } from './store/assert-writable.ts'
import { readJournal } from './store/journal-file.ts'
import type { Payloads } from './store/payloads.ts'
import { peekEnvironment } from './store/peek-environment.ts'
import { temporaryFolder } from './store/temporary-folder.ts'
import { createRedactor } from './trace/redactor.ts'

export interface ReplayOptions {
  readonly program: Program
  readonly mode: Mode
  readonly order: Order
  /** Labels of tools and models that are executed. */
  readonly live: readonly string[]
  /** In place of the recorded run input. */
  readonly input?: Json
  readonly stopAtFirst: boolean
  readonly compareOutput: boolean
  /** What the run is held against; absent: its recorded end. */
  readonly expectation?: Expectation
  /** Milliseconds; 0: none. */
  readonly timeoutMs: number
  readonly stallMs: number
  /** Null: twice the recorded calls and a hundred. */
  readonly maxCalls: number | null
  /** Size of the agent's heap; null: Node's own limit. */
  readonly memoryBytes: number | null
  readonly allowNet: readonly string[]
  /** Where to write the run that results; null: nowhere. */
  readonly save: string | null
  readonly overwrite: boolean
  /** `all`: the outcome has both sides of every call, also of those that matched. Absent: divergent. */
  readonly evidence?: 'divergent' | 'all'
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Says how each call is answered; mode manual needs it. */
  readonly answer?: Answerer
  /** The agent is about to start; its output follows. */
  readonly onStart?: () => void
}

/** Replays one bundle. A bundle or agent that cannot be loaded is an outcome, too: verdict `error`, exit 2. */
export async function replayBundle(path: string, options: ReplayOptions): Promise<RunOutcome> {
  const startedAt = real.now()
  const folder = temporaryFolder()
  const child = launch(path, options)
  try {
    // Before the agent runs: what it executes may cost money, and is lost when the run cannot be kept.
    if (options.save !== null) assertWritable(options.save, options.overwrite)
    return await replayIn(folder, child, openRecording(path, folder, options), options, startedAt)
  } catch (error) {
    const { mode, order } = options
    const agent = shownProgram(options.program, options.cwd)
    return notReplayed(path, { agent, mode, order, durationMs: elapsed(startedAt) }, error)
  } finally {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function launch(path: string, options: ReplayOptions): StartedProgram {
  return startProgram(options.program, {
    env: replayEnvironment(options.env, peekEnvironment(path), !mayRunForReal(options)),
    nodeOptions: heapLimit(options.memoryBytes),
    cwd: options.cwd,
    answer: options.answer,
    keepsOutput: false,
  })
}

async function replayIn(
  folder: string,
  child: StartedProgram,
  recording: Recording,
  options: ReplayOptions,
  startedAt: number,
): Promise<RunOutcome> {
  const { payloads } = recording
  let agent: LoadedProgram | null = null
  try {
    agent = await child.load()
    const plan = recording.plan()
    const input = runInput(plan, payloads, options)
    const journal = join(folder, 'journal.jsonl')
    options.onStart?.()
    const end = await agent.run(jobFor(plan, journal, options), input, options.timeoutMs)
    if (end.exitCode === JOURNAL_FAILED) throw journalFailed(journal)
    const evidence = evidenceOf({ plan, payloads, journal, agent, end, options })
    const judgement = judgeRun(evidence)
    const saved =
      options.save === null
        ? []
        : [
            save(
              options.save,
              {
                evidence,
                input: revivedInput(input, inputMarks(plan, options)),
                agent: originOf(agent.shown),
                refused: judgement.calls.filter(call => call.answer === 'refused').length,
              },
              options,
            ),
          ]
    return {
      bundle: { ...recording.shown, ...(options.input !== undefined && { input: options.input }) },
      agent: agent.shown,
      isolation: 'process',
      durationMs: elapsed(startedAt),
      ...judgement,
      notes: [
        ...commandNotes(
          options.program,
          input,
          createRedactor(plan.redaction, watchEnvironment(options.env)),
        ),
        ...judgement.notes,
        ...recording.notes,
        ...saved,
      ],
    }
  } finally {
    agent?.dispose()
    payloads.close()
  }
}

function heapLimit(bytes: number | null): string[] {
  return bytes === null ? [] : [`--max-old-space-size=${Math.max(1, Math.round(bytes / 2 ** 20))}`]
}

function jobFor(plan: Plan, journal: string, options: ReplayOptions) {
  return {
    plan,
    bundle: plan.bundle,
    journal,
    onDivergence: options.stopAtFirst ? ('stop' as const) : ('continue' as const),
    stallMs: options.stallMs,
    inputMarks: inputMarks(plan, options),
    ...evidenceFor(options),
    maxCalls: options.maxCalls ?? plan.calls.length * 2 + 100,
    closedNetworkAllows: mayRunForReal(plan) ? null : options.allowNet,
  }
}

/** In a run that is kept the inputs are looked through for what was drawn. */
function evidenceFor({ evidence, save }: ReplayOptions): Pick<RunJob, 'evidence' | 'isKept'> {
  if (save !== null) return { evidence: 'all', isKept: true }
  return evidence === undefined ? {} : { evidence }
}

/** What runs for real needs the network: a run in which anything may cannot close it. */
function mayRunForReal({ live, mode }: Pick<Plan, 'live' | 'mode'>): boolean {
  return live.length > 0 || mode === 'live' || mode === 'manual'
}

function journalFailed(journal: string): StepforkError {
  const message = `the journal of the run could not be written: ${journal}`
  return new StepforkError('WRITE_FAILED', message, 'Make room, or set TMPDIR to a folder that has some.')
}

interface Played {
  readonly plan: Plan
  readonly payloads: Payloads
  readonly journal: string
  readonly agent: LoadedProgram
  readonly end: ProcessEnd
  readonly options: ReplayOptions
}

function evidenceOf({ plan, payloads, journal, agent, end, options }: Played): Evidence {
  const locate = createLocator(agent.bundle, options.cwd)
  return {
    plan,
    facts: readJournal(journal),
    processEnd: end,
    ...recordedPayloads(plan, payloads),
    locate: site => locate(site.frames),
    mapStack: createStackMapper(agent.bundle, options.cwd),
    isScript: agent.isScript,
    compareOutput: options.compareOutput,
    ...(options.evidence !== undefined && { detail: options.evidence }),
    ...(options.expectation !== undefined && { expectation: options.expectation }),
  }
}

/** The verdict stands whether or not its run can be kept. */
function save(path: string, saved: SavedRun, options: ReplayOptions): Note {
  try {
    saveRun(path, saved, options)
    return { code: 'saved', detail: path }
  } catch (error) {
    return { code: 'not-saved', detail: errorOf(error).message }
  }
}

/** The recorded input, unless the user gave another. */
function runInput(plan: Plan, payloads: Payloads, options: ReplayOptions): Json {
  return options.input === undefined ? recordedPayloads(plan, payloads).recordedRunInput() : options.input
}

function inputMarks(plan: Plan, options: ReplayOptions): readonly Mark[] | undefined {
  return options.input === undefined ? plan.inputMarks : undefined
}

function elapsed(since: number): number {
  return Math.round(real.now() - since)
}
