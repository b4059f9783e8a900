/** The same agent in the other style: its tools come in as a world, and it gives back a trace of what it did. */
import { type AgentContext, type CassetteWorld, type Trace, toTrace } from 'stepfork/testing'

const NOW = '2026-12-04T08:00:00Z'

export function pack(world: CassetteWorld, { runId }: AgentContext): Trace {
  const args = { city: 'Oslo', day: 'Friday' }
  const { celsius } = world.tools.weather!<{ readonly celsius: number }>(args)
  const shared = { ts: NOW, run_id: runId }
  return toTrace({
    run_id: runId,
    agent_version: 'packing-list@1',
    task: 'What do I pack for Oslo on Friday?',
    outcome: 'ok',
    steps: [
      { ...shared, kind: 'tool_call', idx: 0, tool: 'weather', args, call_id: 'a' },
      { ...shared, kind: 'tool_result', idx: 1, call_id: 'a', content: { celsius } },
      { ...shared, kind: 'final_answer', idx: 2, answer: celsius < 5 ? 'a coat' : 'a jacket' },
    ],
  })
}

/** Thinks for ever: a process of its own can be ended all the same. */
export function ponder(world: CassetteWorld): never {
  world.tools.weather!({ city: 'Oslo' })
  for (;;);
}
