/** The agents of test/agents recorded and replayed as a user does it: one process a run, the command's own output. */
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allAgents, beyondTheLimits } from '../agents/all-agents.ts'
import { causesOf, replayJson } from './run-cli.ts'
import { recordIn, recordThenChange, workspace } from './workspace.ts'

const AGENTS = resolve(import.meta.dirname, '../agents')

/** Latencies come from the seed, local work from nowhere: it differs in each run. */
const AGENT_FILE = `
import { traceTool } from 'stepfork'
import { allAgents } from '${AGENTS}/all-agents.ts'
import { createToolbox } from '${AGENTS}/toolbox.ts'
import { createWorld } from '${AGENTS}/world.ts'

export const run = ({ name, seed }: { name: string; seed: number }) =>
  allAgents[name]!(createToolbox(traceTool, createWorld(seed), Math.random))
`

const isFull = process.env.STEPFORK_PROOF === 'full'
const HANDFUL = [
  'pool',
  'poolOfNamedWorkers',
  'timeOut',
  'timeOutOfAnEndlessCall',
  'abortSignalTimeout',
  'fireAndForgetPastTheEnd',
  'callsDuringAStream',
  'synchronousTools',
  'worker',
  'heartbeat',
  'localHttp',
  'pRetry',
]
const PINNED = Object.keys(allAgents).filter(name => !beyondTheLimits.includes(name))

describe('an unchanged agent in its own process is matched', () => {
  for (const name of isFull ? PINNED : HANDFUL) {
    it(name, { timeout: 120_000 }, async () => {
      const folder = workspace({ 'agent.ts': AGENT_FILE })
      await recordIn(folder, ['--input', JSON.stringify({ name, seed: 7 })])
      for (let times = 0; times < (isFull ? 5 : 1); times++) {
        const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
        expect({ code, causes: causesOf(run), verdict: run.verdict }).toEqual({
          code: 0,
          causes: [],
          verdict: 'matched',
        })
      }
    })
  }
})

const CHARGE_AND_MAIL = (body: string): string => `
import { stat } from 'node:fs/promises'
import { traceTool } from 'stepfork'
const charge = traceTool('charge', async (_: { cents: number }) => { ${body}; return 'paid' })
const mail = traceTool('mail', async (_: { to: string }) => 'sent')
export const run = async () => {
  await charge({ cents: 100 })
  return mail({ to: 'ann' })
}
`

describe('an await that was removed before a call is red', () => {
  it.each([
    ['on a tool that settles at once', ''],
    ['on a tool that looks at a file', "await stat('.')"],
    ['on a tool that takes one immediate', 'await new Promise(done => setImmediate(done))'],
    ['on a tool that takes 5 ms', 'await new Promise(done => setTimeout(done, 5))'],
  ])('%s', async (_which, body) => {
    const folder = await recordThenChange(CHARGE_AND_MAIL(body), [['await charge(', 'void charge(']])
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([1, ['not-awaited 2']])
  })
})

it('a cache that was cold in the recording and is warm now is green', async () => {
  const folder = workspace({
    'agent.ts': `
import { existsSync, writeFileSync } from 'node:fs'
import { traceTool } from 'stepfork'
const pause = (ms: number) => new Promise(done => setTimeout(done, ms))
const warmUp = async () => { await pause(40); writeFileSync('cache', '') }
const ready = existsSync('cache') ? Promise.resolve() : warmUp()
const search = traceTool('search', async (_: { q: string }) => { await pause(10); return 1 })
const rank = traceTool('rank', async (_: { found: unknown }) => 2)
export const run = async () => {
  const [a, b] = await Promise.all([search({ q: 'a' }), ready.then(() => search({ q: 'b' }))])
  return rank({ found: [a, b] })
}
`,
  })
  await recordIn(folder)
  const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
  expect([code, causesOf(run)]).toEqual([0, []])
})

describe('--stop-at-first', () => {
  const THREE = `
import { traceTool } from 'stepfork'
const step = traceTool('step', async (_: { n: number }) => 1)
const sum = traceTool('sum', (_: { n: number }) => 1)
export const run = async () => {
  await step({ n: 1 })
  await step({ n: 2 })
  sum({ n: 3 })
  sum({ n: 4 })
  return 'done'
}
`
  const replayChanged = async (changes: readonly (readonly [string, string])[]) => {
    const folder = await recordThenChange(THREE, changes)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts', '--stop-at-first'], {
      cwd: folder,
    })
    return { code, causes: causesOf(run) }
  }

  it('ends at a changed input, with that one cause', async () => {
    expect(await replayChanged([['n: 2', 'n: 22']])).toEqual({ code: 1, causes: ['changed-input 2 /n'] })
  })

  it('ends at two calls in the other order', async () => {
    const swapped = await replayChanged([
      ['await step({ n: 1 })\n', ''],
      ['await step({ n: 2 })\n', 'await step({ n: 2 })\n  await step({ n: 1 })\n'],
    ])
    expect(swapped).toEqual({ code: 1, causes: ['reordered'] })
  })

  it('ends at two synchronous calls in the other order', async () => {
    const swapped = await replayChanged([
      ['sum({ n: 3 })', 'sum({ n: 0 })'],
      ['sum({ n: 4 })', 'sum({ n: 3 })'],
      ['sum({ n: 0 })', 'sum({ n: 4 })'],
    ])
    expect(swapped).toEqual({ code: 1, causes: ['reordered'] })
  })

  it('is green for an unchanged agent', async () => {
    expect(await replayChanged([])).toEqual({ code: 0, causes: [] })
  })
})
