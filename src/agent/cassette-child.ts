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
import { chooseEntry } from '../load/choose-entry.ts'
import { showPath } from '../load/show-path.ts'
import { blockedError } from '../sandbox/blocked-error.ts'
import { closeFiles } from '../sandbox/file-guard.ts'
import { closeNetwork } from '../sandbox/network-guard.ts'
import { closeProcesses } from '../sandbox/process-guard.ts'
import type { CassetteJob } from './cassette-job.ts'
import { type CassetteJournal, openCassetteJournal } from './cassette-journal.ts'
import { JOB_DESCRIPTOR } from './child-job.ts'
import { endWithSupervisor } from './lifeline.ts'

const exit = process.exit.bind(process)

main(parseJson(fs.readFileSync(JOB_DESCRIPTOR, 'utf8')) as unknown as CassetteJob)

async function main(job: CassetteJob): Promise<void> {
  endWithSupervisor()
  const journal = openCassetteJournal(job.journal)
  closeAll(job, what => journal.write({ kind: 'blocked', what }))
  endStrayRuns(journal)
  const agent = await load(job).catch((error: unknown) =>
    end(journal, { kind: 'not-started', reason: reasonOf(error) }),
  )
  journal.begin()
  end(journal, await run(agent, job, journal))
}

function end(journal: CassetteJournal, how: AgentEnd): never {
  journal.conclude(how)
  return exit(0)
}

type Agent = (...args: unknown[]) => unknown

async function run(agent: Agent, job: CassetteJob, journal: CassetteJournal): Promise<AgentEnd> {
  const { llm, runId, maxActions } = job
  try {
    return {
      kind: 'returned',
      value: jsonOrNull(await agent(worldOf(job, journal), { llm, runId, maxActions })),
    }
  } catch (error) {
    return { kind: 'threw', reason: reasonOf(error) }
  }
}

/** Of an agent that goes on asking whatever it is told, as all that it asks is kept. */
const MOST_MISSES = 100_000

function worldOf({ cassette }: CassetteJob, journal: CassetteJournal): CassetteWorld {
  const most = (cassette.world?.length ?? 0) + MOST_MISSES
  let calls = 0
  return new CassetteWorld(cassette, {
    onCall: call => {
      // The agent could catch an error, but not the end of its process.
      if (++calls > most) end(journal, { kind: 'exited', reason: `the agent made more than ${most} calls` })
      journal.write({ kind: 'called', ...call })
    },
  })
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
function endStrayRuns(journal: CassetteJournal): void {
  const onStray = (error: unknown): never => end(journal, { kind: 'threw', reason: reasonOf(error) })
  process.on('uncaughtException', onStray)
  process.on('unhandledRejection', onStray)
  process.on('beforeExit', () =>
    end(journal, { kind: 'exited', reason: 'the agent waits for something that can never happen' }),
  )
  process.on('exit', code =>
    journal.conclude({ kind: 'exited', reason: `the agent ended its process (exit code ${code})` }),
  )
}
