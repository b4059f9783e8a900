import { existsSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { record } from '../../../src/index.ts'
import { recorded, replay } from '../../../src/testing.ts'
import { answer, ask, freshPath, happened, orderStatus, recording, refund, round } from './desk.ts'

afterEach(() => vi.unstubAllEnvs())

const never = new Promise<never>(() => {})

describe('replay() of a function, in this process', () => {
  it('says that it matched, and that nobody watched the network', async () => {
    const outcome = await replay(await recording(), { agent: answer })
    outcome.assertMatched()
    expect(outcome).toMatchObject({
      verdict: 'matched',
      exitCode: 0,
      isolation: 'in-process',
      agent: null,
      totals: { recorded: 4, matched: 4 },
      output: { compared: true, equal: true },
    })
    expect(happened).toEqual([])
  })

  it('calls it as the command does: with the recorded input, with several arguments, with none', async () => {
    const seen: unknown[][] = []
    const spy = (...args: unknown[]): void => void seen.push(args)
    const [one, several, none] = [freshPath(), freshPath(), freshPath()]
    await record({ agent: 'a', output: one, input: { q: 1 } }, (_: unknown) => {})
    await record({ agent: 'a', output: several, args: [1, 'two'] }, (_: number, __: string) => {})
    await record({ agent: 'a', output: none }, () => {})
    for (const path of [one, several, none]) await replay(path, { agent: spy as (input: never) => unknown })
    expect(seen).toEqual([[{ q: 1 }], [1, 'two'], []])
  })

  it('tells a difference as the report does, with the line of the agent', async () => {
    const path = await recording()
    const other = async (id: string): Promise<unknown> => {
      const order = await orderStatus({ id })
      const text = await ask(`order ${order.id} is ${order.state}`)
      return { text, ref: (await refund({ id, amount: round(42.46, 1) + 1 })).ref }
    }
    const outcome = await replay(path, { agent: other })
    expect(outcome.divergences.map(({ kind, call }) => [kind, call])).toEqual([['changed-input', 4]])
    expect(outcome.divergences[0]).toMatchObject({
      differences: [{ path: '/amount', recorded: 42.5, actual: 43.5 }],
      source: { file: expect.stringMatching(/replay-here\.test\.ts$/) },
    })
    expect(() => outcome.assertMatched()).toThrow(/refund.*\/amount.*recorded +42\.5.*live +43\.5/s)
  })

  it('finds that a recorded failure happened again', async () => {
    const path = await recording(id => refund({ id, amount: 500 }))
    const outcome = await replay(path, { agent: (id: string) => refund({ id, amount: 500 }) })
    outcome.assertMatched()
    expect(outcome).toMatchObject({ verdict: 'reproduced', failure: { type: 'RangeError' } })
  })

  it('gives an agent up that waits for something else, and says for what it waited', async () => {
    const path = await recording()
    const outcome = await replay(path, {
      agent: async (id: string) => {
        await orderStatus({ id })
        await never
      },
      timeoutMs: 100,
    })
    expect(outcome.divergences.at(-1)).toMatchObject({
      kind: 'agent-timeout',
      facts: { silentMs: 100, lastCall: 'order_status' },
    })
    expect((await replay(path, { agent: answer })).verdict).toBe('matched')
  })

  it('need not compare the output', async () => {
    const path = await recording(id => orderStatus({ id }))
    const agent = async (id: string): Promise<string> => (await orderStatus({ id })).state
    expect((await replay(path, { agent })).verdict).toBe('diverged')
    expect((await replay(path, { agent, compareOutput: false })).verdict).toBe('matched')
  })

  it('rejects only for a bundle that cannot be read', async () => {
    await expect(replay(freshPath(), { agent: answer })).rejects.toMatchObject({ code: 'BUNDLE_NOT_FOUND' })
  })
})

describe('recorded()', () => {
  it('records where there is no recording yet, and from then on replays', async () => {
    vi.stubEnv('CI', '')
    const path = freshPath()
    happened.length = 0
    const first = await recorded(path, answer, 'A-17')
    expect(happened).toHaveLength(4)
    expect(await recorded(path, answer, 'A-17')).toEqual(first)
    expect(happened).toHaveLength(4)
  })

  it.each(['true', '1', 'yes'])(
    'fails in CI (%s) where there is no recording, and calls nothing',
    async ci => {
      vi.stubEnv('CI', ci)
      const path = freshPath()
      happened.length = 0
      await expect(recorded(path, answer, 'A-17')).rejects.toMatchObject({
        code: 'BUNDLE_NOT_FOUND',
        hint: expect.stringMatching(/commit the bundle/),
      })
      expect([happened, existsSync(path)]).toEqual([[], false])
    },
  )

  it.each(['false', '0', ''])('records when CI is "%s"', async ci => {
    vi.stubEnv('CI', ci)
    const path = freshPath()
    await recorded(path, answer, 'A-17')
    expect(existsSync(path)).toBe(true)
  })

  it('throws with the report when the run diverged, and makes no call', async () => {
    const path = await recording()
    await expect(recorded(path, (id: string) => orderStatus({ id: `${id}!` }), 'A-17')).rejects.toThrow(
      /order_status.*A-17!/s,
    )
    expect(happened).toEqual([])
  })

  it('throws what the agent threw when that is what was recorded', async () => {
    vi.stubEnv('CI', '')
    const path = freshPath()
    const agent = (id: string) => refund({ id, amount: 500 })
    for (const _time of ['recorded', 'replayed'])
      await expect(recorded(path, agent, 'A-17')).rejects.toThrow(RangeError)
  })

  it('gives back what has no JSON form as the agent made it, recorded and replayed', async () => {
    vi.stubEnv('CI', '')
    const path = freshPath()
    const agent = async (id: string) => {
      const { state } = await orderStatus({ id })
      return { tell: () => state }
    }
    for (const _time of ['recorded', 'replayed'])
      expect((await recorded(path, agent, 'A-17')).tell()).toBe('delivered')
    expect((await replay(path, { agent })).notes).toEqual([{ code: 'output-lost', detail: '' }])
  })

  it('leaves a stream that the agent returns to the test', async () => {
    vi.stubEnv('CI', '')
    const path = freshPath()
    const agent = async (id: string): Promise<ReadableStream<string>> => {
      const { state } = await orderStatus({ id })
      return new ReadableStream({
        start: out => {
          out.enqueue(state)
          out.close()
        },
      })
    }
    for (const _time of ['recorded', 'replayed']) {
      const reader = (await recorded(path, agent, 'A-17')).getReader()
      expect(await reader.read()).toMatchObject({ value: 'delivered' })
    }
  })
})
