import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CassetteWorld } from '../../../src/cassette/cassette-world.ts'
import { parseCassette } from '../../../src/cassette/read-cassette.ts'
import { formatTrace, parseTrace, toTrace } from '../../../src/cassette/read-trace.ts'
import { type AgentRun, runAgent } from '../../../src/run-agent.ts'
import type { AgentContext } from '../../../src/run-agent-file.ts'
import { type GrudgeCase, grudgeLines } from './grudge-lines.ts'

/** Reflection on keyword names and Python's own error texts: an agent here gets one object, and has no such errors. */
const PYTHON_ONLY = new Set(['r045', 'r046', 'r048', 'r049', 'r050', 'r051'])
/** Files are closed only to an agent in a process of its own (test/e2e/cassette-agents.test.ts). */
const NEEDS_A_PROCESS = new Set(['r060', 'r061'])

const lines = grudgeLines('runs').filter(({ id }) => !PYTHON_ONLY.has(id) && !NEEDS_A_PROCESS.has(id))

describe('an agent of grudge, run here', () => {
  it.each(lines.map(line => [line.id, line.note, line] as const))('%s %s', async (id, _, { data, text }) => {
    const seen: object[] = []
    const cassette = parseCassette(text('cassette'))
    const run = await runAgent(agentThat(data.agent.does, seen), cassette, {
      timeout: Number(String(data.timeout).replace('inf', 'Infinity')),
      maxSteps: data.max_steps,
      llm: 'the-llm',
    })
    expect(formatTrace(parseTrace(formatTrace(run.trace)))).toBe(formatTrace(run.trace))
    expect(withoutOurWords(run)).toEqual(expectedOf(id, data))
    if (data.seen !== undefined) expect(seen).toEqual(data.seen)
    expect(run.consumed.length + run.remaining.length).toBe(cassette.world.length)
  })
})

/** An async agent is awaited here, and limits that made the package throw are invalid limits. */
function expectedOf(id: string, data: GrudgeCase): object {
  if (data.throws !== undefined) return { outcome: 'failed', steps: 1, failure: 'invalid replay limit' }
  if (id === 'r039') return { outcome: 'ok', steps: 1, failure: null }
  const { outcome, steps } = data.trace
  const failure = steps[0]?.meta.failure ?? null
  return { outcome, steps: steps.length, failure: failure === null ? null : inOurWords(failure) }
}

function withoutOurWords({ trace }: AgentRun): object {
  const failure = (trace.steps[0]?.meta.failure as string | undefined) ?? null
  return { outcome: trace.outcome, steps: trace.steps.length, failure }
}

/** Python quotes arguments and the text of a KeyError in its own way, and calls the error by another name. */
function inOurWords(failure: string): string {
  return failure
    .replace(/^ReplayMismatch: no cassette response for (\w+) with arguments (.*)$/, (_, tool, args) => {
      const json = args.replaceAll("'", '"').replaceAll('True', 'true').replaceAll('None', 'null')
      return `ReplayMismatchError: no cassette response for ${tool} with arguments ${JSON.stringify(JSON.parse(json))}`
    })
    .replace("KeyError: 'k'", 'KeyError: k')
}

function agentThat(does: readonly GrudgeCase[], seen: object[]) {
  return async function agent(world: CassetteWorld, _: AgentContext): Promise<unknown> {
    for (const step of does) {
      if (step.do === 'call') callTool(world, step, seen)
      if (step.do === 'throw') throw named(step.error, step.message)
      if (step.do === 'sleep') await sleep(step.seconds * 1000)
      if (step.do === 'spin') spin(step.seconds)
      if (step.do === 'return') return step.trace === undefined ? step.value : toTrace(step.trace)
    }
    return undefined
  }
}

function callTool(world: CassetteWorld, step: GrudgeCase, seen: object[]): void {
  try {
    seen.push({ answer: world.call(step.tool, step.args) })
  } catch (error) {
    seen.push({ threw: 'ReplayMismatch' })
    if (step.catch !== true) throw error
  }
}

function named(name: string, message = ''): Error {
  return Object.assign(new Error(message), { name })
}

function spin(seconds: number): void {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end);
}

describe('what a run says beside its trace', () => {
  const cassette = {
    task: 't',
    world: [
      { tool: 'search', match: { exact: { q: 1 } }, response: { hits: [1] } },
      { tool: 'search', match: { any: true }, response: null },
      { tool: 'pay', match: { any: true }, response: null, error: { name: 'CardDeclined', message: 'no' } },
    ],
  } as const
  const limits = { timeout: 1, maxSteps: 3 }
  const done = (context: AgentContext) =>
    toTrace({ run_id: context.runId, agent_version: 'a@1', task: 't', outcome: 'ok', steps: [] })

  it('names entries that were used and left, and a miss that the agent swallowed', async () => {
    const run = await runAgent(
      (world, context) => {
        world.tools.search!({ q: 1 })
        try {
          world.tools.weather!({ city: 'Oslo' })
        } catch {}
        return done(context)
      },
      cassette,
      limits,
    )
    expect(run).toMatchObject({ failure: null, hermetic: 'in-process', blocked: [] })
    expect(run.consumed.map(({ response }) => response)).toEqual([{ hits: [1] }])
    expect(run.remaining.map(({ tool }) => tool)).toEqual(['search', 'pay'])
    expect(run.misses).toEqual([{ tool: 'weather', args: { city: 'Oslo' } }])
    expect(run.unenforced).toContain('files, the network and other processes are open')
  })

  it('throws a recorded failure into the agent', async () => {
    const run = await runAgent(world => world.tools.pay!({ eur: 5 }), cassette, limits)
    expect(run.failure).toEqual({ kind: 'threw', reason: 'CardDeclined: no' })
  })

  it('no longer answers an agent that is late', async () => {
    let late: unknown = null
    const run = await runAgent(
      async world => {
        await sleep(120)
        try {
          world.tools.search!({ q: 1 })
        } catch (error) {
          late = error
        }
      },
      cassette,
      { ...limits, timeout: 0.05 },
    )
    expect(run).toMatchObject({
      failure: { kind: 'timeout', reason: 'sandbox timeout after 0.05s' },
      consumed: [],
    })
    await sleep(150)
    expect(late).toMatchObject({ code: 'ERR_STEPFORK_REFUSED' })
  })

  it('says why a longer trace was cut', async () => {
    const step = (idx: number) =>
      ({ kind: 'final_answer', idx, ts: '2026-01-01T00:00:00Z', run_id: 'r', answer: 'x' }) as const
    const trace = toTrace({
      run_id: 'r',
      agent_version: 'a',
      task: 't',
      outcome: 'ok',
      steps: [0, 1, 2, 3].map(step),
    })
    const run = await runAgent(() => trace, cassette, limits)
    expect(run.trace).toMatchObject({ outcome: 'failed', steps: [{ idx: 0 }, { idx: 1 }, { idx: 2 }] })
    expect(run.failure).toEqual({
      kind: 'too-many-steps',
      reason: 'the agent took 4 steps, and the limit is 3',
    })
  })

  it('names what is missing in an object that is only like a trace', async () => {
    const run = await runAgent(() => ({ run_id: 'r', steps: [] }), cassette, limits)
    expect(run.failure).toMatchObject({ kind: 'no-trace', reason: 'agent did not return a Trace' })
    expect(run.failure!.problems!.map(({ path }) => path)).toEqual(['/agent_version', '/task', '/outcome'])
  })

  it.each([
    [Number.NaN, 3],
    [Number.POSITIVE_INFINITY, 3],
    [1e12, 3],
    ['1', 3],
    [1, 1.5],
    [1, Number.NaN],
  ])('does not call the agent under the limits %s and %s', async (timeout, maxSteps) => {
    let isCalled = false
    const agent = (): void => {
      isCalled = true
    }
    const run = await runAgent(agent, cassette, { timeout: timeout as number, maxSteps })
    expect(run.failure).toEqual({ kind: 'limit', reason: 'invalid replay limit' })
    expect(isCalled).toBe(false)
  })

  it.each([
    ['text', 'Error: "text"'],
    [{ code: 7 }, 'Error: {"code":7}'],
    [undefined, 'Error: undefined'],
    [
      Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('no text')
        },
      }),
      'Error',
    ],
  ])('gives a reason for whatever is thrown: %j', async (thrown, reason) => {
    const run = await runAgent(
      () => {
        throw thrown
      },
      cassette,
      limits,
    )
    expect(run.failure).toEqual({ kind: 'threw', reason })
  })
})
