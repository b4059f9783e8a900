/**
 * Starts the agent's process and sees to its end: no orphan stays behind, whatever the agent does. The process starts
 * before its job is known, so that Node boots while the agent is being bundled.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, statSync } from 'node:fs'
import type { Duplex, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { real } from '../patch.ts'
import { type Answerer, answerQuestions } from './answer-questions.ts'
import { JOB_DESCRIPTOR, QUESTION_DESCRIPTOR } from './child-job.ts'

export interface LaunchOptions {
  readonly env: NodeJS.ProcessEnv
  /** For node, before the file. */
  readonly execArgv: readonly string[]
  readonly cwd: string
  /** Answers what the process asks (mode manual). */
  readonly answer?: Answerer
  /** What runs in it; default `child`. */
  readonly entry?: 'child' | 'cassette-child'
}

/** What the process is told to do: JSON, with the file that it writes down what happens in. */
export interface Job {
  readonly journal: string
}

/** 'silence': time without a call or an answer. 'whole-run': from the first line of the journal on. */
export type TimeoutOf = 'silence' | 'whole-run'

export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** It was ended by its timeout, after so many ms. */
  readonly silentMs: number | null
  readonly interrupted: boolean
}

export interface AgentProcess {
  /** Gives the process its job and waits for its end. `timeoutMs` end it, by default of silence; 0: never. */
  run<J extends Job>(job: J, timeoutMs: number, timeoutOf?: TimeoutOf): Promise<ProcessEnd>
  /** Ends it and all that it started. */
  kill(): void
}

const WATCH_EVERY_MS = 100
/** A run that is timed as a whole has not begun before its first line, but must begin some time. */
const LONGEST_START_MS = 60_000

export function launchAgent(options: LaunchOptions): AgentProcess {
  const entry = fileURLToPath(new URL(`./agent/${options.entry ?? 'child'}.js`, import.meta.url))
  const child = spawn(process.execPath, [...options.execArgv, entry], {
    cwd: options.cwd,
    env: options.env,
    // The agent's output goes where the progress goes. Descriptors, not pipes: process.exit cuts a pipe short.
    stdio: ['ignore', 2, 2, 'pipe', 'pipe', ...(options.answer === undefined ? [] : ['pipe' as const])],
    // A group of its own, so that what the agent started is ended with it.
    detached: true,
  })
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  // An end nobody waits for yet (the bundling failed first) is no unhandled rejection.
  ended.catch(() => {})
  const stopListening = forwardInterrupt(child)
  const isAsking = listenToQuestions(child, options.answer)
  return {
    run: async (job, timeoutMs, timeoutOf = 'silence') => {
      send(child, job)
      const watch = watchTime(child, job.journal, { timeoutMs, timeoutOf, isAsking })
      const end = await ended
      watch.stop()
      killGroup(child)
      return { ...end, silentMs: watch.silentMs(), interrupted: stopListening() }
    },
    kill: () => {
      killGroup(child)
      stopListening()
    },
  }
}

function send(child: ChildProcess, job: Job): void {
  // A process that dies before it can open its journal has written an empty one.
  closeSync(openSync(job.journal, 'a', 0o600))
  const pipe = child.stdio[JOB_DESCRIPTOR] as Writable
  // The process may be gone already; its end says so.
  pipe.on('error', () => {})
  pipe.end(writeJson(job as unknown as Json))
}

function listenToQuestions(child: ChildProcess, answer: Answerer | undefined): () => boolean {
  if (answer === undefined) return () => false
  return answerQuestions((child.stdio as readonly unknown[])[QUESTION_DESCRIPTOR] as Duplex, answer)
}

interface TimeLimit {
  readonly timeoutMs: number
  readonly timeoutOf: TimeoutOf
  /** A person is thinking: that is no silence. */
  readonly isAsking: () => boolean
}

function watchTime(child: ChildProcess, journal: string, { timeoutMs, timeoutOf, isAsking }: TimeLimit) {
  let size = -1
  let since = real.now()
  let silentMs: number | null = null
  const timer = setInterval(() => {
    const now = sizeOf(journal)
    if (isAsking() || (now !== size && (timeoutOf === 'silence' || size <= 0))) since = real.now()
    size = now
    const limit = timeoutOf === 'whole-run' && size <= 0 ? LONGEST_START_MS : timeoutMs
    if (limit === 0 || real.now() - since < limit) return
    silentMs = Math.round(real.now() - since)
    killGroup(child)
  }, WATCH_EVERY_MS)
  return { stop: () => clearInterval(timer), silentMs: () => silentMs }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1
}

/** Ctrl-C reaches only this process, as the agent has a group of its own. */
function forwardInterrupt(child: ChildProcess): () => boolean {
  let interrupted = false
  const onSignal = (): void => {
    interrupted = true
    killGroup(child)
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  return () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    return interrupted
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is empty: everything has ended by itself.
  }
}
