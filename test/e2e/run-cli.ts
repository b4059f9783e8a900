/**
 * Runs the command-line tool as a user does, in a process of its own, and sees that nothing is left of it. The node that
 * runs it is that of the tests; STEPFORK_NODE names another binary.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Divergence, RunOutcome } from '../../src/outcome/outcome.ts'

export const NODE = process.env.STEPFORK_NODE ?? process.execPath
export const CLI = resolve(import.meta.dirname, '../../bin/stepfork.js')

export interface CliOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  readonly stdin?: string
  /** Called at once, to act on the process while it runs. */
  readonly onStart?: (child: ChildProcess) => void
}

export interface CliRun {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Throws when a process that the run started is still there after its end. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const marker = `STEPFORK_E2E_RUN=${randomUUID()}`
  const child = spawn(NODE, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...plainEnvironment(), ...options.env, STEPFORK_E2E_RUN: marker.split('=')[1] },
  })
  options.onStart?.(child)
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), endOf(child)])
  await assertNothingIsLeft(marker, args)
  return { code, stdout, stderr }
}

/** What `--json` prints, for one bundle. */
export interface ReplayDocument {
  readonly verdict: string
  readonly exitCode: number
  readonly runs: readonly ReplayedRun[]
  readonly error?: RunOutcome['error']
}

export type ReplayedRun = Omit<RunOutcome, 'divergences' | 'notes'> & {
  readonly divergences: readonly (Divergence & { readonly message: string; readonly hint: string | null })[]
  readonly notes: readonly { readonly code: string; readonly message: string }[]
}

/** Replays with `--json`; `run` is the first run of the document, which is all that stdout holds. */
export async function replayJson(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliRun & { readonly document: ReplayDocument; readonly run: ReplayedRun }> {
  const result = await runCli(['replay', '--json', ...args], options)
  const document = parseDocument(result)
  return { ...result, document, run: document.runs[0]! }
}

export function parseDocument({ stdout, stderr }: CliRun): ReplayDocument {
  try {
    return JSON.parse(stdout) as ReplayDocument
  } catch (cause) {
    throw new Error(`stdout is not one JSON document: ${stdout}\nstderr: ${stderr}`, { cause })
  }
}

/** Kind, call and JSON Pointers of each cause: what most tests ask about. */
export function causesOf(run: ReplayedRun): string[] {
  return run.divergences
    .filter(({ root }) => root)
    .map(({ kind, call, differences }) =>
      [kind, ...(call === null ? [] : [call]), ...differences.map(({ path }) => path)].join(' '),
    )
}

/** Colours and CI settings of whoever runs the tests must not change what they see. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const { NO_COLOR, FORCE_COLOR, CI, GITHUB_ACTIONS, NODE_OPTIONS, VITEST, NODE_ENV, ...env } = process.env
  return env
}

function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  return new Promise((done, failed) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('close', () => done(Buffer.concat(chunks).toString('utf8')))
    stream.on('error', failed)
  })
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', code => done(code))
  })
}

/** A process that was just killed may take a moment to go. Told by the environment it inherited; Linux only. */
async function assertNothingIsLeft(marker: string, args: readonly string[]): Promise<void> {
  if (!existsSync('/proc/self/environ')) return
  for (let tries = 0; processesWith(marker).length > 0; tries++) {
    if (tries === 50) {
      const left = processesWith(marker)
      for (const pid of left) process.kill(Number(pid), 'SIGKILL')
      throw new Error(`stepfork ${args.join(' ')} left processes behind: ${left.join(', ')}`)
    }
    await sleep(20)
  }
}

function processesWith(marker: string): string[] {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && environmentOf(name).includes(marker))
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
