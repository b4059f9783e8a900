/** Starts the process of an agent file: before its job is known, so that Node boots while the agent is being bundled. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { Duplex, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { type Answerer, answerQuestions } from './answer-questions.ts'
import { JOB_DESCRIPTOR, QUESTION_DESCRIPTOR } from './child-job.ts'
import { type ProcessEnd, type TimeoutOf, watchChild } from './watch-child.ts'

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

export interface AgentProcess {
  /** Gives the process its job and waits for its end. `timeoutMs` end it, by default of silence; 0: never. */
  run<J extends Job>(job: J, timeoutMs: number, timeoutOf?: TimeoutOf): Promise<ProcessEnd>
  /** Ends it and all that it started. */
  kill(): void
}

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
  const watched = watchChild(child)
  const isAsking = listenToQuestions(child, options.answer)
  return {
    run: (job, timeoutMs, timeoutOf = 'silence') => {
      send(child, job)
      return watched.end(job.journal, { timeoutMs, timeoutOf, isAsking })
    },
    kill: watched.kill,
  }
}

function send(child: ChildProcess, job: Job): void {
  makeJournal(job)
  const pipe = child.stdio[JOB_DESCRIPTOR] as Writable
  // The process may be gone already; its end says so.
  pipe.on('error', () => {})
  pipe.end(writeJson(job as unknown as Json))
}

/** A process that dies before it can open its journal has written an empty one. */
export function makeJournal({ journal }: Job): void {
  closeSync(openSync(journal, 'a', 0o600))
}

function listenToQuestions(child: ChildProcess, answer: Answerer | undefined): () => boolean {
  if (answer === undefined) return () => false
  return answerQuestions((child.stdio as readonly unknown[])[QUESTION_DESCRIPTOR] as Duplex, answer)
}
