/** The story of `replay(bundle, { agent: function })`: the same verdict as the command's, made in this process. */
import { createLocator } from './load/locate-source.ts'
import { createStackMapper } from './load/map-stack.ts'
import { readOutput } from './load/read-output.ts'
import { judgeRun } from './outcome/judge-run.ts'
import type { RunOutcome } from './outcome/outcome.ts'
import { real } from './patch.ts'
import { recordedPayloads } from './recorded-payloads.ts'
import { ReplaySession, type ReplaySessionOptions } from './run/replay-session.ts'
import { readBundle } from './store/read-bundle.ts'

/** Throws what reading a bundle throws; a divergence is in the outcome. The network is not watched. */
export async function replayHere(
  path: string,
  agent: (input: never) => unknown,
  options: ReplaySessionOptions & { readonly compareOutput?: boolean } = {},
): Promise<RunOutcome> {
  const startedAt = real.now()
  const bundle = readBundle(path)
  const session = new ReplaySession(bundle, { onDivergence: 'continue', ...options })
  // What it returned or threw is in the journal.
  await session.run(async input => readOutput(await agent(input))).catch(() => {})
  const locate = createLocator(null, process.cwd())
  const judgement = judgeRun({
    ...recordedPayloads(session.plan, session.payloads),
    plan: session.plan,
    facts: session.facts,
    processEnd: { exitCode: null, signal: null, silentMs: null, interrupted: false },
    locate: site => locate(site.frames),
    mapStack: createStackMapper(null, process.cwd()),
    isScript: false,
    compareOutput: options.compareOutput ?? true,
  })
  session.payloads.close()
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
    ...judgement,
  }
}
