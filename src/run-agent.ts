/** The story of `runAgent`: an agent called with a world from a cassette, and a trace of it whatever it does. */
import { basename, extname } from 'node:path'
import { closesNetwork } from './agent/permission-model.ts'
import { parseAgentSpec } from './agent-spec.ts'
import {
  type AgentEnd,
  areLimits,
  concludeRun,
  RUN_ID,
  type RunFailure,
  reasonOf,
} from './cassette/agent-end.ts'
import type { Cassette, CassetteEntry, CassetteInput } from './cassette/cassette.ts'
import { CassetteWorld } from './cassette/cassette-world.ts'
import type { ReplayMiss } from './cassette/mismatch.ts'
import { toCassette } from './cassette/read-cassette.ts'
import type { Trace } from './cassette/trace.ts'
import { ReplayError } from './errors.ts'
import { real } from './patch.ts'
import { type AgentContext, runAgentFile, type WatchedEnd } from './run-agent-file.ts'

export interface RunAgentOptions {
  /** Seconds, as in grudge. */
  readonly timeout: number
  /** Steps of the trace; a longer one is cut, and failed. */
  readonly maxSteps: number
  /** Passed on to the agent; to one in a process of its own only as JSON. */
  readonly llm?: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: what it returns is looked at, whatever its type
export type CassetteAgent = (world: CassetteWorld, context: AgentContext) => any

export interface AgentRun {
  /** The agent's own, or one that says why there is none; always valid. */
  readonly trace: Trace
  readonly failure: RunFailure | null
  /** Entries that were used, in the order of the cassette. */
  readonly consumed: readonly CassetteEntry[]
  readonly remaining: readonly CassetteEntry[]
  /** Calls that had no entry, also when the agent caught the error. */
  readonly misses: readonly ReplayMiss[]
  /** What the guards refused, also when the agent caught the error. */
  readonly blocked: readonly string[]
  /** Whether the agent ran in a process of its own. */
  readonly hermetic: 'process' | 'in-process'
  /** What this run could not keep the agent from. */
  readonly unenforced: readonly string[]
}

/**
 * Runs an agent against a cassette, strictly. `file#export` runs in a process of its own that has no files, no network and
 * no other processes, and is ended at the timeout; a function runs in this one, where none of that can be kept from it.
 * Never rejects because of what the agent does. Raises ShapeError for what is no cassette.
 */
export async function runAgent(
  agent: string | CassetteAgent,
  cassette: CassetteInput,
  options: RunAgentOptions,
): Promise<AgentRun> {
  const known = toCassette(cassette)
  const { timeout, maxSteps, llm = null } = options
  const context: AgentContext = { llm, runId: RUN_ID, maxActions: maxSteps }
  const { end, world, blocked } = areLimits(timeout, maxSteps)
    ? await run(agent, known, context, timeout)
    : { end: { kind: 'limit' } as const, world: new CassetteWorld(known), blocked: [] }
  const frame = { task: known.task, timeout, maxSteps, agentVersion: agentVersionOf(agent) }
  return {
    ...concludeRun(end, frame),
    consumed: world.consumed,
    remaining: world.remaining,
    misses: world.misses,
    blocked,
    ...(typeof agent === 'string' ? inProcessOfItsOwn() : IN_THIS_PROCESS),
  }
}

const NEVER_ENFORCED = 'environment variables, the clock and random numbers are those of this machine'

function inProcessOfItsOwn(): Pick<AgentRun, 'hermetic' | 'unenforced'> {
  const network = closesNetwork()
    ? []
    : [`the network is closed to JavaScript only: the permission model of Node ${process.version} has none`]
  return { hermetic: 'process', unenforced: [...network, NEVER_ENFORCED] }
}

const IN_THIS_PROCESS = {
  hermetic: 'in-process',
  unenforced: [
    'files, the network and other processes are open',
    'a busy loop is not ended, only found out afterwards',
    'an agent that is late goes on; its world no longer answers',
    NEVER_ENFORCED,
  ],
} as const

function run(
  agent: string | CassetteAgent,
  cassette: Cassette,
  context: AgentContext,
  timeout: number,
): Promise<WatchedEnd> {
  return typeof agent === 'string'
    ? runAgentFile(agent, cassette, context, timeout)
    : runHere(agent, cassette, context, timeout)
}

async function runHere(
  agent: CassetteAgent,
  cassette: Cassette,
  context: AgentContext,
  timeout: number,
): Promise<WatchedEnd> {
  let isOver = false
  const world = new CassetteWorld(cassette, {
    onCall: ({ tool }) => {
      if (isOver) throw new ReplayError('ERR_STEPFORK_REFUSED', `${tool} was called after the run had ended`)
    },
  })
  const startedAt = real.now()
  const end = await inTime(timeout * 1000, async () => agent(world, context))
  isOver = true
  const isLate = real.now() - startedAt > timeout * 1000
  return { end: isLate ? { kind: 'timeout' } : end, world, blocked: [] }
}

async function inTime(milliseconds: number, agent: () => Promise<unknown>): Promise<AgentEnd> {
  const own = agent().then(
    (value): AgentEnd => ({ kind: 'returned', value }),
    (error): AgentEnd => ({ kind: 'threw', reason: reasonOf(error) }),
  )
  let timer: ReturnType<typeof real.setTimeout> | undefined
  const late = new Promise<AgentEnd>(resolve => {
    timer = real.setTimeout(() => resolve({ kind: 'timeout' }), milliseconds)
  })
  const end = await Promise.race([own, late])
  real.clearTimeout(timer)
  return end
}

/** Module and export; a function does not know its module. */
function agentVersionOf(agent: string | CassetteAgent): string {
  if (typeof agent !== 'string') return agent.name || 'agent'
  const { file, export: name } = parseAgentSpec(agent)
  return `${basename(file, extname(file))}.${name ?? 'agent'}`
}
