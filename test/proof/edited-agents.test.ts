/** Agents that were edited: what breaks a recorded order is red, what breaks none is green, whatever the latencies. */
import { describe, expect, it } from 'vitest'
import type { Agent, Toolbox } from '../agents/toolbox.ts'
import { record, replay } from './in-process.ts'

const RECORDINGS = process.env.STEPFORK_PROOF === 'full' ? 50 : 1

/** Findings of each replay, each text once. */
async function findings(recorded: Agent, live: Agent): Promise<string[]> {
  const seen = new Set<string>()
  for (let seed = 1; seed <= RECORDINGS; seed++) {
    const recording = await record(recorded, seed)
    const replayed = await replay(live, recording, seed + 1)
    recording.dispose()
    seen.add(replayed.isHung ? 'hung' : replayed.findings.join(', '))
  }
  return [...seen]
}

type Order = readonly (number | readonly number[])[]

/** Makes the calls in this order, a list at once; returns the answers by number. */
const inOrder =
  (order: Order): Agent =>
  async tools => {
    const answers: { [number: number]: number } = {}
    for (const group of order) {
      const numbers = typeof group === 'number' ? [group] : group
      await Promise.all(
        numbers.map(async i => {
          answers[i] = await tools.call('fetch', { i })
        }),
      )
    }
    return answers
  }

describe('an order that no recorded answer asks for may change', { timeout: 300_000 }, () => {
  it.each<[string, Order, Order]>([
    ['concurrent calls made one after the other', [[1, 2, 3, 4]], [1, 2, 3, 4]],
    ['concurrent calls made one after the other, backwards', [[1, 2, 3, 4]], [4, 3, 2, 1]],
    [
      'concurrent calls made in two groups',
      [[1, 2, 3, 4]],
      [
        [2, 4],
        [1, 3],
      ],
    ],
    ['a pair turned round', [[1, 2], 3], [[2, 1], 3]],
  ])('%s', async (_edit, recorded, live) => {
    expect(await findings(inOrder(recorded), inOrder(live))).toEqual([''])
  })

  it('a pool of two made a pool of one', async () => {
    const pool: Agent = async tools => {
      const items = [1, 2, 3, 4, 5]
      const answers: { [number: number]: number } = {}
      const work = async (): Promise<void> => {
        for (let i = items.shift(); i !== undefined; i = items.shift())
          answers[i] = await tools.call('fetch', { i })
      }
      await Promise.all([work(), work()])
      return answers
    }
    expect(await findings(pool, inOrder([1, 2, 3, 4, 5]))).toEqual([''])
  })
})

describe('an order that a recorded answer asks for may not', { timeout: 300_000 }, () => {
  it.each<[string, Order, Order, string]>([
    ['calls in sequence made at once', [1, 2, 3], [[1, 2, 3]], 'not-awaited fetch 2, not-awaited fetch 3'],
    ['two of them made at once', [1, 2, 3, 4], [1, [2, 3], 4], 'not-awaited fetch 3'],
    ['two of them swapped', [1, 2, 3, 4], [1, 3, 2, 4], 'reordered fetch 2'],
    ['one left out', [1, 2, 3, 4], [1, 3, 4], 'missing fetch 2, output-differs output'],
    ['the last one made before a group has ended', [[1, 2], 3], [1, 3, 2], 'reordered fetch 2'],
  ])('%s', async (_edit, recorded, live, found) => {
    expect(await findings(inOrder(recorded), inOrder(live))).toEqual([found])
  })

  it('a second stage begun before the first has ended everywhere', async () => {
    const stage = (tools: Toolbox, name: string) => (i: number) => tools.call(name, { i })
    const stages: Agent = async tools => {
      await Promise.all([1, 2, 3].map(stage(tools, 'fetch')))
      return Promise.all([1, 2, 3].map(stage(tools, 'save')))
    }
    const mixed: Agent = tools =>
      Promise.all([1, 2, 3].map(i => stage(tools, 'fetch')(i).then(() => stage(tools, 'save')(i))))
    for (const found of await findings(stages, mixed)) expect(found).toContain('not-awaited save')
  })

  it('an await taken away, whether the call took a while or none', async () => {
    const agent =
      (name: string, waits: boolean): Agent =>
      async tools => {
        const charged = tools.call(name, { i: 1 })
        if (waits) await charged
        return tools.call('mail', { i: 2 })
      }
    for (const name of ['memory', 'fetch', 'slow'])
      expect(await findings(agent(name, true), agent(name, false))).toEqual(['not-awaited mail 2'])
  })
})
