/** One model or tool that answers in several ways: now a value, now a stream, now at once. */
import { expect, it } from 'vitest'
import { causesOf, replayJson } from './run-cli.ts'
import { recordIn, workspace } from './workspace.ts'

it('replays a model that is asked with and without streaming through plain functions', async () => {
  const folder = workspace({
    'agent.ts': `import { llmRequest } from 'stepfork'
async function* pieces(text: string) { yield* text.split(' ') }
const ask = <R>(input: unknown, call: () => R): R => llmRequest({ provider: 'openai', model: 'm', input }, call)
export async function run() {
  const plan = await ask({ messages: ['plan'] }, () => Promise.resolve('look it up'))
  const read: string[] = []
  for await (const piece of ask({ messages: ['answer'], stream: true }, () => pieces('it is sunny'))) read.push(piece)
  return { plan, read }
}`,
  })
  await recordIn(folder)
  const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
  expect(causesOf(run)).toEqual([])
  expect(run).toMatchObject({ verdict: 'matched', totals: { matched: 2 }, output: { equal: true } })
})

it('replays a tool that answers from memory at once and else by a promise', async () => {
  const folder = workspace({
    'agent.ts': `import { traceTool } from 'stepfork'
const known = new Map([['a', 1]])
const lookUp = traceTool('look_up', (name: string): number | Promise<number> => known.get(name) ?? Promise.resolve(2))
export async function run() {
  const b = await lookUp('b')
  const a = lookUp('a')
  return [typeof a, a, b]
}`,
  })
  await recordIn(folder)
  const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
  expect(causesOf(run)).toEqual([])
  expect(run).toMatchObject({ verdict: 'matched', totals: { matched: 2 }, output: { equal: true } })
})
