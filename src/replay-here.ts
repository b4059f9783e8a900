/** The story of `replay(bundle, { agent: function })`: the same verdict as the command's, made in this process. */
import { createLocator } from './load/locate-source.ts'
import { createStackMapper } from './load/map-stack.ts'
import { readOutput } from './load/read-output.ts'
import { type Judgement, judgeRun } from './outcome/judge-run.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import { real } from './patch.ts'
import { recordedPayloads } from './recorded-payloads.ts'
import { agentArguments } from './run/agent-arguments.ts'
import { ReplaySession, type ReplaySessionOptions } from './run/replay-session.ts'
import { readBundle } from './store/read-bundle.ts'
import type { Fact } from './trace/journal.ts'

export interface ReplayHereOptions extends ReplaySessionOptions {
  readonly compareOutput?: boolean
  /** Milliseconds without a call or an answer after which the run is given up; default 60,000, 0 is never. */
  readonly timeoutMs?: number
  /** Do not read a stream or a Response that the agent returns: somebody else will. Default false. */
  readonly keepsOutput?: boolean
}

/**
 * Calls the agent with the recorded input, as the command does. Throws what reading a bundle throws; a divergence is in the
 * outcome. The network is not watched.
 */
export async function replayHere(
  path: string,
  agent: (...args: never[]) => unknown,
  options: ReplayHereOptions = {},
): Promise<RunOutcome> {
  const startedAt = real.now()
  const bundle = readBundle(path)
  const session = new ReplaySession(bundle, { onDivergence: 'continue', ...options })
  const args = agentArguments(session.input) as never[]
  const read = options.keepsOutput ? (output: unknown): unknown => output : readOutput
  const end = await ended(session, async () => read(await agent(...args)), options.timeoutMs)
  try {
    return {
      bundle: {
        path,
        agentName: bundle.manifest.agent_name,
        runId: bundle.manifest.run_id,
        status: bundle.manifest.status,
      },
      agent: null,
      isolation: 'in-process',
      durationMs: Math.round(real.now() - startedAt),
      ...judgementOf(session, end, options.compareOutput ?? true),
    }
  } finally {
    session.payloads.close()
  }
}

interface End {
  readonly facts: readonly Fact[]
  /** For how long nothing happened, when that ended the run; else null. */
  readonly silentMs: number | null
}

/** What the agent returned or threw is in the facts. */
async function ended(session: ReplaySession, agent: () => unknown, timeoutMs = 60_000): Promise<End> {
  const run = session.run(agent).then(
    () => null,
    () => null,
  )
  const watch = silence(session, timeoutMs)
  const silentMs = await Promise.race(timeoutMs === 0 ? [run] : [run, watch.over])
  watch.stop()
  const facts = [...session.facts]
  if (silentMs !== null) session.giveUp()
  return { facts, silentMs }
}

function silence(session: ReplaySession, timeoutMs: number): { over: Promise<number>; stop: () => void } {
  let timer: NodeJS.Timeout
  const over = new Promise<number>(resolve => {
    const look = (seen: number): void => {
      timer = real.setTimeout(() => {
        if (session.facts.length === seen) resolve(timeoutMs)
        else look(session.facts.length)
      }, timeoutMs)
    }
    look(session.facts.length)
  })
  return { over, stop: () => real.clearTimeout(timer) }
}

function judgementOf(session: ReplaySession, { facts, silentMs }: End, compareOutput: boolean): Judgement {
  const locate = createLocator(null, process.cwd())
  return judgeRun({
    ...recordedPayloads(session.plan, session.payloads),
    plan: session.plan,
    facts,
    processEnd: { exitCode: null, signal: null, silentMs, interrupted: false },
    locate: site => locate(site.frames),
    mapStack: createStackMapper(null, process.cwd()),
    isScript: false,
    compareOutput,
  })
}
