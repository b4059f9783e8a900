/**
 * The process of an agent that runs against a cassette: closes files, network and processes, calls the agent with its
 * world, and writes down each call before it is answered, so that what happened before the process is killed counts.
 */
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type AgentEnd, reasonOf } from '../cassette/agent-end.ts'
import { CassetteWorld } from '../cassette/cassette-world.ts'
import { parseJson } from '../json/parse-json.ts'
import { snapshot } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { chooseEntry } from '../load/choose-entry.ts'
import { showPath } from '../load/show-path.ts'
import { real } from '../patch.ts'
import { blockedError } from '../sandbox/blocked-error.ts'
import { closeFiles } from '../sandbox/file-guard.ts'
import { closeNetwork } from '../sandbox/network-guard.ts'
import { closeProcesses } from '../sandbox/process-guard.ts'
import type { CassetteFact, CassetteJob } from './cassette-job.ts'
import { JOB_DESCRIPTOR } from './child-job.ts'

const exit = process.exit.bind(process)
const writeSync = fs.writeSync.bind(fs)

main(parseJson(fs.readFileSync(JOB_DESCRIPTOR, 'utf8')) as unknown as CassetteJob)

async function main(job: CassetteJob): Promise<void> {
  const journal = fs.openSync(job.journal, 'a')
  const write = (fact: CassetteFact): void => {
    writeSync(journal, `${writeJson(fact as unknown as Json)}\n`)
  }
  closeAll(job, what => write({ kind: 'blocked', what }))
  let startedAt = real.now()
  let hasEnded = false
  const conclude = (end: AgentEnd): void => {
    if (!hasEnded) write({ kind: 'ended', end, ms: real.now() - startedAt })
    hasEnded = true
  }
  endStrayRuns(conclude)
  const agent = await load(job).catch((error: unknown) => {
    conclude({ kind: 'not-started', reason: reasonOf(error) })
    return exit(0)
  })
  write({ kind: 'began' })
  startedAt = real.now()
  conclude(await run(agent, job, write))
  exit(0)
}

type Agent = (...args: unknown[]) => unknown

async function run(agent: Agent, job: CassetteJob, write: (fact: CassetteFact) => void): Promise<AgentEnd> {
  const world = new CassetteWorld(job.cassette, { onCall: call => write({ kind: 'called', ...call }) })
  const { llm, runId, maxActions } = job
  try {
    return { kind: 'returned', value: jsonOrNull(await agent(world, { llm, runId, maxActions })) }
  } catch (error) {
    return { kind: 'threw', reason: reasonOf(error) }
  }
}

/** What has no JSON form is no trace either. */
function jsonOrNull(value: unknown): Json {
  try {
    return snapshot(value)
  } catch {
    return null
  }
}

async function load({ code, file, export: name }: CassetteJob): Promise<Agent> {
  const shown = showPath(file)
  const entry = chooseEntry(await import(pathToFileURL(code).href), name, shown)
  if (entry.kind === 'function') return entry.call
  throw new Error(`${shown} exports nothing that can be called`)
}

function closeAll(job: CassetteJob, onBlocked: (what: string) => void): void {
  closeNetwork({
    allow: [],
    usesWebSockets: false,
    onBlocked,
    errorFor: () => blockedError('replay sandbox forbids network access', 'PermissionError'),
  })
  closeProcesses(onBlocked)
  closeFiles({ readable: job.readable, onBlocked })
}

/** Ends that the agent's promise does not come to: an error nobody awaits, nothing left to wait for, process.exit. */
function endStrayRuns(conclude: (end: AgentEnd) => void): void {
  const onStray = (error: unknown): void => {
    conclude({ kind: 'threw', reason: reasonOf(error) })
    exit(0)
  }
  process.on('uncaughtException', onStray)
  process.on('unhandledRejection', onStray)
  process.on('beforeExit', () => {
    conclude({ kind: 'exited', reason: 'the agent waits for something that can never happen' })
    exit(0)
  })
  process.on('exit', code =>
    conclude({ kind: 'exited', reason: `the agent ended its process (exit code ${code})` }),
  )
}
