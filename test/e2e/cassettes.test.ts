/** Cassettes from the command line, and agents in a process of their own, as the built package runs them. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { AgentRun, RunAgentOptions } from '../../src/run-agent.ts'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { fixtureBundle, linkStepfork, workspace } from './workspace.ts'

const AGENT = `
import { traceTool } from 'stepfork'
const search = traceTool('search', async (_: { q: string, page?: number }) => ({ hits: [] as string[] }))
const pay = traceTool('pay', async (_: object) => 'really paid')
export async function run(task: string) {
  const { hits } = await search({ q: 'tides', page: 1 })
  const paid = await pay({ eur: 5 }).catch((error: Error) => error.name)
  return { task, hits, paid }
}
`
const CASSETTE = {
  task: 'When is low tide?',
  world: [
    { tool: 'pay', match: { any: true }, response: null, error: { name: 'CardDeclined', message: 'no' } },
    { tool: 'search', match: { subset: { q: 'tides' } }, response: { hits: ['06:12'] } },
  ],
}

function desk(cassette: object = CASSETTE): string {
  return workspace({ 'agent.ts': AGENT, 'tides.json': JSON.stringify(cassette) })
}

describe('replay of a cassette', () => {
  it('is green in whatever order the agent calls, and runs no tool', async () => {
    const { code, run } = await replayJson(['tides.json', '--agent', 'agent.ts'], { cwd: desk() })
    expect({ code, verdict: run.verdict, order: run.order, liveCalls: run.liveCalls }).toEqual({
      code: 0,
      verdict: 'matched',
      order: 'any',
      liveCalls: 0,
    })
    expect(run.totals).toMatchObject({ recorded: 2, matched: 2 })
  })

  it('names what an entry wanted and did not get, and nothing else', async () => {
    const world = [CASSETTE.world[0]!, { ...CASSETTE.world[1]!, match: { subset: { q: 'tide' } } }]
    const { code, run } = await replayJson(['tides.json', '--agent', 'agent.ts'], {
      cwd: desk({ ...CASSETTE, world }),
    })
    expect(code).toBe(1)
    expect(causesOf(run)).toEqual(['changed-input 2 /q'])
    expect(run.divergences[0]!.differences).toEqual([
      { path: '/q', change: 'changed', recorded: 'tide', actual: 'tides' },
    ])
  })

  it('is red for an entry that no call used, and for a call that has none', async () => {
    const world = [...CASSETTE.world.slice(1), { tool: 'book', match: { any: true }, response: 1 }]
    const { code, run } = await replayJson(['tides.json', '--agent', 'agent.ts'], {
      cwd: desk({ ...CASSETTE, world }),
    })
    expect(code).toBe(1)
    expect(causesOf(run).sort()).toEqual(['extra', 'missing 2'])
  })

  it('uses each entry once, equal ones one after the other', async () => {
    const polls = `
import { traceTool } from 'stepfork'
const poll = traceTool('poll', async (_: { job: number }) => '')
export const run = async () => [await poll({ job: 1 }), await poll({ job: 2 }), await poll({ job: 1 })].join()
`
    const any = ['wait', 'wait more', 'done'].map(response => ({
      tool: 'poll',
      match: { any: true },
      response,
    }))
    const exact = { tool: 'poll', match: { exact: { job: 1 } }, response: 'first' }
    const folder = workspace({
      'agent.ts': polls,
      'polls.json': JSON.stringify({ task: '', world: [...any.slice(0, 2), exact] }),
    })
    const args = ['replay', 'polls.json', '--agent', 'agent.ts', '--save', 'out.sftrace']
    expect(await runCli(args, { cwd: folder })).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'out.sftrace/events.jsonl'), 'utf8')).toContain('first,wait,wait more')
  })

  it('lends an answer to another call, and gives it to the very call when that comes', async () => {
    const both = AGENT.replace(
      'const { hits }',
      "await search({ q: 'moon' }).catch(() => {})\n  const { hits }",
    )
    const folder = workspace({ 'agent.ts': both, 'tides.json': JSON.stringify(CASSETTE) })
    const { run } = await replayJson(['tides.json', '--agent', 'agent.ts'], { cwd: folder })
    expect(causesOf(run)).toEqual(['extra'])
    expect(run.totals).toMatchObject({ matched: 2, extra: 1 })
  })

  it('tells a call too many from one that nobody knows', async () => {
    const twice = AGENT.replace(
      'const paid',
      "await search({ q: 'tides', page: 2 }).catch(() => {})\n  const paid",
    )
    const folder = workspace({ 'agent.ts': twice, 'tides.json': JSON.stringify(CASSETTE) })
    const { run } = await replayJson(['tides.json', '--agent', 'agent.ts'], { cwd: folder })
    expect(causesOf(run)).toEqual(['exhausted'])
  })

  it('with every problem of a bad one in a sentence, exit 2', async () => {
    const { code, run } = await replayJson(['tides.json', '--agent', 'agent.ts'], {
      cwd: desk({ task: 1, world: [{ tool: '', match: { exact: {}, args: {} } }] }),
    })
    expect(code).toBe(2)
    expect(run.error!.code).toBe('CASSETTE_INVALID')
    for (const path of ['/task', '/world/0/tool', '/world/0/match/args', '/world/0/response'])
      expect(run.error!.message).toContain(path)
  })

  it('runs a named tool for real and saves the run, which then replays', async () => {
    const folder = desk()
    const args = ['replay', 'tides.json', '--agent', 'agent.ts', '--live', 'pay', '--save', 'out.sftrace']
    expect(await runCli(args, { cwd: folder })).toMatchObject({ code: 0 })
    const { code, run } = await replayJson(['out.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, run.output.equal]).toEqual([0, true])
    expect(readFileSync(join(folder, 'out.sftrace/events.jsonl'), 'utf8')).toContain('really paid')
  })
})

const AGENTS = `
import { execSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { toTrace } from 'stepfork/testing'

const done = (run_id: string, answer: unknown) => toTrace({
  run_id, agent_version: 'a@1', task: 't', outcome: 'ok',
  steps: [{ kind: 'final_answer', idx: 0, ts: '2026-01-01T00:00:00Z', run_id, answer: JSON.stringify(answer) }],
})
export const good = async (world: any, { runId, maxActions, llm }: any) =>
  done(runId, { hit: world.tools.search({ q: 'tides' }), maxActions, llm })
export const busy = (world: any) => { world.tools.search({ q: 'tides' }); for (;;); }
export const reads = () => readFileSync('/etc/hostname')
export const writes = () => writeFileSync(process.env.LEAK!, 'x')
export const starts = () => execSync('echo')
export const threads = () => new Promise((_, reject) => new Worker('0', { eval: true }).on('error', reject))
export const connects = () => fetch('http://127.0.0.1:4999/')
export const exits = () => process.exit(3)
export const waits = () => new Promise(() => {})
export const throws = () => { throw new RangeError('boom') }
export const catches = async (_: unknown, { runId }: any) => {
  await readFile('/etc/hostname').catch(() => {})
  return done(runId, existsSync('/etc/hostname'))
}
`

describe('an agent file that is run against a cassette', () => {
  it('gets its world, and its trace comes back', async () => {
    const run = await runExport('good')
    expect(run).toMatchObject({ failure: null, hermetic: 'process', misses: [], blocked: [] })
    expect(run.trace).toMatchObject({ run_id: 'replay-run', outcome: 'ok' })
    const { answer } = run.trace.steps[0] as unknown as { answer: string }
    expect(JSON.parse(answer)).toEqual({ hit: { hits: ['06:12'] }, maxActions: 5, llm: { name: 'scripted' } })
    expect(run.consumed.map(({ tool }) => tool)).toEqual(['search'])
    expect(run.remaining.map(({ tool }) => tool)).toEqual(['pay'])
  })

  it('is ended in a busy loop, and what it had used is known', async () => {
    const run = await runExport('busy', { timeout: 0.4 })
    expect(run.failure).toEqual({ kind: 'timeout', reason: 'sandbox timeout after 0.4s' })
    expect(run.trace).toMatchObject({
      agent_version: 'agents.busy',
      outcome: 'failed',
      steps: [
        { kind: 'state_diff', ts: '2026-01-01T00:00:00Z', meta: { failure: 'sandbox timeout after 0.4s' } },
      ],
    })
    expect(run.consumed.map(({ tool }) => tool)).toEqual(['search'])
  })

  it.each([
    ['reads', 'PermissionError: replay sandbox forbids filesystem access', 'readFile /etc/hostname'],
    ['writes', 'PermissionError: replay sandbox forbids filesystem access', 'writeFile '],
    ['starts', 'PermissionError: replay sandbox forbids starting processes', 'execSync echo'],
    ['connects', 'TypeError: fetch failed', 'a connection to 127.0.0.1:4999'],
  ])('has no files, no network and no processes: %s', async (name, reason, blocked) => {
    const run = await runExport(name)
    expect(run.failure).toEqual({ kind: 'threw', reason })
    expect(run.blocked[0]).toContain(blocked)
  })

  it('cannot start a thread, where no guard of its own would hold', async () => {
    expect((await runExport('threads')).failure!.reason).toMatch(/restricted/)
  })

  it('cannot hide that it tried', async () => {
    const run = await runExport('catches')
    expect(run).toMatchObject({ failure: null, blocked: ['readFile /etc/hostname'] })
    expect(run.trace.steps).toMatchObject([{ answer: 'false' }])
  })

  it.each([
    ['exits', 'exited', 'the agent ended its process (exit code 3)'],
    ['waits', 'exited', 'the agent waits for something that can never happen'],
    ['throws', 'threw', 'RangeError: boom'],
  ])('has a valid trace however it ends: %s', async (name, kind, reason) => {
    expect((await runExport(name)).failure).toEqual({ kind, reason })
  })

  it('that is not there has a trace, too', async () => {
    expect((await runExport('nobody')).failure).toMatchObject({
      kind: 'not-started',
      reason: expect.stringContaining('AGENT_NO_ENTRY'),
    })
  })

  it('changes nothing in this process', async () => {
    const before = [fetch, readFileSync, existsSync]
    await runExport('reads')
    expect([fetch, readFileSync, existsSync]).toEqual(before)
    expect(existsSync('/etc')).toBe(true)
  })
})

describe('a cassette made from a bundle', () => {
  it('answers what the recorded tools answered, failures as failures', async () => {
    const { CassetteWorld, worldFromTrace } = await testing()
    const world = new CassetteWorld(worldFromTrace(fixtureBundle('timeout_fallback')))
    expect(world.cassette.world.map(({ tool, error }) => [tool, error?.name ?? null])).toEqual([
      ['primary_rates', 'TimeoutError'],
      ['cached_rates', null],
    ])
    expect(() => world.call('primary_rates', world.cassette.world[0]!.match.args)).toThrow(
      expect.objectContaining({ name: 'TimeoutError' }),
    )
  })
})

/** The built package: an agent's process is started from it. */
function testing(): Promise<typeof import('../../src/testing.ts')> {
  return import(pathToFileURL(resolve(import.meta.dirname, '../../dist/testing.js')).href)
}

async function runExport(name: string, options: Partial<RunAgentOptions> = {}): Promise<AgentRun> {
  const folder = workspace({ 'agents.ts': AGENTS, 'package.json': '{"type":"module"}' })
  linkStepfork(folder)
  process.env.LEAK = join(folder, 'leak.txt')
  const { runAgent } = await testing()
  const run = await runAgent(join(folder, `agents.ts#${name}`), CASSETTE as never, {
    timeout: 5,
    maxSteps: 5,
    llm: { name: 'scripted' },
    ...options,
  })
  expect(existsSync(join(folder, 'leak.txt'))).toBe(false)
  return run
}
