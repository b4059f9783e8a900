/** An agent file run against a cassette in a process of its own: what is closed to it, and what became of it. */
import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CassetteFact, CassetteJob } from './agent/cassette-job.ts'
import { replayEnvironment } from './agent/environment.ts'
import { packageFolders, permissionArguments } from './agent/permission-model.ts'
import { launchAgent } from './agent/supervise.ts'
import type { ProcessEnd } from './agent/watch-child.ts'
import { type LoadedAgent, loadAgent, parseAgentSpec } from './agent-spec.ts'
import { type AgentEnd, reasonOf } from './cassette/agent-end.ts'
import type { Cassette } from './cassette/cassette.ts'
import { CassetteWorld } from './cassette/cassette-world.ts'
import { isStepforkError } from './errors.ts'
import { parseJson } from './json/parse-json.ts'
import { snapshot } from './json/snapshot.ts'
import { temporaryFolder } from './store/temporary-folder.ts'

/** What an agent gets beside its world. */
export interface AgentContext {
  readonly llm: unknown
  readonly runId: string
  /** `maxSteps` of the run. */
  readonly maxActions: number
}

/** An agent's end as seen by whoever ran it. */
export interface WatchedEnd {
  readonly end: AgentEnd
  /** What was asked of it is what was used and missed. */
  readonly world: CassetteWorld
  readonly blocked: readonly string[]
}

/** `timeout` in seconds, from the moment in which the agent is called. An agent that cannot be loaded is an end, too. */
export async function runAgentFile(
  agent: string,
  cassette: Cassette,
  context: AgentContext,
  timeout: number,
): Promise<WatchedEnd> {
  // The permission model compares real paths.
  const folder = temporaryFolder()
  let loaded: LoadedAgent | null = null
  try {
    loaded = await loadAgent(parseAgentSpec(agent), 'bundle')
    const job = jobFor(agent, loaded, cassette, context, join(folder, 'journal.jsonl'))
    const processEnd = await runJob(job, timeout)
    return watchedEnd(readFacts(job.journal), processEnd, cassette, timeout)
  } catch (error) {
    const reason = isStepforkError(error) ? `${error.code}: ${error.message}` : reasonOf(error)
    return { end: { kind: 'not-started', reason }, world: new CassetteWorld(cassette), blocked: [] }
  } finally {
    loaded?.dispose()
    rmSync(folder, { recursive: true, force: true })
  }
}

function jobFor(
  agent: string,
  { code, file }: LoadedAgent,
  cassette: Cassette,
  context: AgentContext,
  journal: string,
): CassetteJob {
  const folders = [...packageFolders(file), ...packageFolders(code)].filter(existsSync)
  const ownFolder = dirname(fileURLToPath(import.meta.url))
  const readable = [code, `${code}.map`, ownFolder, join(ownFolder, '../package.json'), ...folders]
  return {
    cassette,
    journal,
    code,
    file,
    export: parseAgentSpec(agent).export,
    llm: snapshot(context.llm),
    runId: context.runId,
    maxActions: context.maxActions,
    readable: [...new Set([...readable, ...folders.map(path => realpathSync(path))])],
  }
}

async function runJob(job: CassetteJob, timeout: number): Promise<ProcessEnd> {
  const child = launchAgent({
    env: replayEnvironment(process.env, null, true),
    execArgv: permissionArguments({ read: job.readable, write: [job.journal] }),
    cwd: process.cwd(),
    entry: 'cassette-child',
  })
  try {
    return await child.run(job, timeout * 1000, 'whole-run')
  } finally {
    child.kill()
  }
}

/** Line by line, as far as it was written: the process may have been killed in the middle of one. */
function readFacts(journal: string): readonly CassetteFact[] {
  const lines = readFileSync(journal, 'utf8').split('\n').slice(0, -1)
  return lines.map(line => parseJson(line) as unknown as CassetteFact)
}

function watchedEnd(
  facts: readonly CassetteFact[],
  processEnd: ProcessEnd,
  cassette: Cassette,
  timeout: number,
): WatchedEnd {
  return {
    end: endOf(facts, processEnd, timeout),
    world: worldAfter(facts, cassette),
    blocked: facts.flatMap(fact => (fact.kind === 'blocked' ? [fact.what] : [])),
  }
}

function endOf(facts: readonly CassetteFact[], processEnd: ProcessEnd, timeout: number): AgentEnd {
  const { silentMs, interrupted, exitCode, signal } = processEnd
  const ended = facts.find(fact => fact.kind === 'ended')
  if (ended?.kind === 'ended') return ended.ms > timeout * 1000 ? { kind: 'timeout' } : ended.end
  const hasBegun = facts.some(fact => fact.kind === 'began')
  if (silentMs !== null && hasBegun) return { kind: 'timeout' }
  if (silentMs !== null) return { kind: 'not-started', reason: 'the agent file was not loaded in time' }
  if (interrupted) return { kind: 'exited', reason: 'the run was interrupted' }
  const how = signal === null ? `exit code ${exitCode}` : `signal ${signal}`
  return { kind: hasBegun ? 'exited' : 'not-started', reason: `the agent's process ended with ${how}` }
}

/** The same calls asked of a world here use and miss the same entries. */
function worldAfter(facts: readonly CassetteFact[], cassette: Cassette): CassetteWorld {
  const world = new CassetteWorld(cassette, { strict: false })
  for (const fact of facts) {
    if (fact.kind !== 'called') continue
    try {
      world.call(fact.tool, fact.args)
    } catch {
      // A recorded failure, thrown here as it was into the agent.
    }
  }
  return world
}
