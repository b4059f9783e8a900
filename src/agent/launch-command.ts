/** Starts a command as it is, with the preload in its Node processes, and says how it ended where none of them made a call. */
import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StepforkError } from '../errors.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { real } from '../patch.ts'
import { openJournal, readJournal } from '../store/journal-file.ts'
import { temporaryFolder } from '../store/temporary-folder.ts'
import type { Fact } from '../trace/journal.ts'
import { COMMAND_JOB, type CommandJob, type RunJob } from './child-job.ts'
import { makeJournal } from './supervise.ts'
import { type ProcessEnd, type WatchedChild, watchChild } from './watch-child.ts'

export interface CommandOptions {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** For each of its Node processes. */
  readonly nodeOptions: readonly string[]
  /** Whether its standard output stays that of this process, or goes where the progress goes. */
  readonly keepsOutput: boolean
}

export interface CommandProcess {
  /** Runs it to its end. Throws AGENT_NOT_FOUND when there is no such command. `timeoutMs` of silence end it; 0: never. */
  run(job: RunJob, timeoutMs: number): Promise<ProcessEnd>
  /** Ends it and all that it started. */
  kill(): void
}

export function launchCommand(options: CommandOptions): CommandProcess {
  let watched: WatchedChild | null = null
  return {
    run: async (job, timeoutMs) => {
      const folder = temporaryFolder()
      try {
        makeJournal(job)
        watched = watchChild(start(options, writeJob(job, folder)))
        const limit = { timeoutMs, timeoutOf: 'silence', isAsking: () => false } as const
        const end = await watched.end(job.journal, limit).catch(error => notStarted(options, error))
        noteRunWithoutCalls(job.journal, end)
        return end
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
    kill: () => watched?.kill(),
  }
}

function writeJob(job: RunJob, folder: string): string {
  const full: CommandJob = { ...job, supervisor: process.pid, owner: join(folder, 'owner') }
  const file = join(folder, 'job.json')
  writeFileSync(file, writeJson(full as unknown as Json), { mode: 0o600 })
  return file
}

function start({ command, env, cwd, nodeOptions, keepsOutput }: CommandOptions, job: string): ChildProcess {
  const [program = '', ...args] = command
  return spawn(program, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: withPreload(nodeOptions, env.NODE_OPTIONS), [COMMAND_JOB]: job },
    stdio: keepsOutput ? 'inherit' : ['inherit', 2, 2],
    // A group of its own, so that what it started is ended with it.
    detached: true,
  })
}

/** First of all that is loaded; the user's own options stay. */
function withPreload(nodeOptions: readonly string[], own: string | undefined): string {
  const preload = fileURLToPath(new URL('./agent/preload.cjs', import.meta.url))
  return [`--require ${quoted(preload)}`, ...nodeOptions, ...(own === undefined ? [] : [own])].join(' ')
}

function quoted(path: string): string {
  return /[\s"\\]/.test(path) ? `"${path.replace(/["\\]/g, '\\$&')}"` : path
}

function notStarted({ command }: CommandOptions, cause: NodeJS.ErrnoException): never {
  const why = cause.code === 'ENOENT' ? 'there is no such program' : cause.message
  throw new StepforkError(
    'AGENT_NOT_FOUND',
    `cannot start ${command[0]}: ${why}`,
    'What follows -- is a command as you would type it: -- node agent.js',
    { cause },
  )
}

/** A process without calls writes nothing: then the end of the command is the end of the run. */
function noteRunWithoutCalls(path: string, { exitCode }: ProcessEnd): void {
  const facts = readJournal(path)
  if (exitCode === null || facts.some(({ kind }) => kind === 'began' || kind === 'not-started')) return
  const journal = openJournal(path)
  for (const fact of exitCode === 0 || facts.length > 0 ? emptyRun(exitCode) : [nothingBegan(exitCode)]) {
    journal.append(fact)
  }
  journal.close()
}

function emptyRun(code: number): Fact[] {
  const wallClock = new Date(real.wallClock()).toISOString()
  const end = { kind: 'settled', at: 0 } as const
  const error = { name: 'AgentExit', message: `the process ended with exit code ${code}` }
  return [
    { kind: 'began', version: 1, wallClock, node: process.version, pid: process.pid },
    code === 0
      ? { ...end, status: 'completed', output: null }
      : { ...end, status: 'failed', error, stack: null, refusedLive: null },
  ]
}

function nothingBegan(code: number): Fact {
  const message = `the command ended with exit code ${code} before it made a call`
  return { kind: 'not-started', code: 'AGENT_IMPORT_FAILED', message, hint: null, stack: null }
}
