/** Runs that end while something is still open, and agents that break off: unchanged, they are matched as well. */
import { describe, expect, it } from 'vitest'
import { type Agent, pause } from '../agents/toolbox.ts'
import { record, replay } from './in-process.ts'

async function findings(recorded: Agent, live: Agent = recorded): Promise<readonly string[]> {
  const recording = await record(recorded, 1)
  const replayed = await replay(live, recording, 2)
  recording.dispose()
  return [...replayed.findings, ...(replayed.isHung ? ['hung'] : [])]
}

const readsOnly =
  (chunks: number): Agent =>
  async tools => {
    const stream = tools.stream('model', { q: 1 })
    const text: unknown[] = []
    for (let times = 0; times < chunks; times++) text.push((await stream.next()).value)
    return text
  }

describe('a run that ends', () => {
  it('with a stream half read and never closed', async () => {
    expect(await findings(readsOnly(2))).toEqual([])
  })

  it('with a stream of which nothing was read', async () => {
    const agent: Agent = async tools => {
      void tools.stream('model', { q: 1 }).next()
      return 1
    }
    expect(await findings(agent)).toEqual([])
  })

  it('with a stream that is read further than in the recording has no result for the rest', async () => {
    expect(await findings(readsOnly(2), readsOnly(3))).toEqual(['no-result model 1', 'agent-error run'])
  })

  it('with a stream read less far', async () => {
    expect(await findings(readsOnly(3), readsOnly(2))).toEqual(['output-differs output'])
  })

  it('with calls under way', async () => {
    const agent: Agent = async tools => {
      const calls = [1, 2, 3].map(i => tools.call('slow', { i }))
      return Promise.race([...calls, pause(5).then(() => 'late')])
    }
    expect(await findings(agent)).toEqual([])
  })

  it('by an error, as recorded', async () => {
    const agent: Agent = async tools => {
      await tools.call('fetch', { i: 1 })
      throw new TypeError('no such thing')
    }
    expect(await findings(agent)).toEqual([])
  })

  it('by the failure of a tool, as recorded', async () => {
    expect(await findings(tools => tools.call('bad', { i: 1 }))).toEqual([])
  })
})

describe('a run that was broken off', () => {
  it('a stream left at its third chunk, and now at its second', async () => {
    const leave =
      (most: number): Agent =>
      async tools => {
        let count = 0
        for await (const _chunk of tools.stream('model', { q: 1 })) if (++count === most) break
        return tools.call('use', { done: true })
      }
    expect(await findings(leave(3), leave(2))).toEqual([])
    expect(await findings(leave(2), leave(4))).toEqual([
      'no-result model 1',
      'missing use 2',
      'agent-error run',
    ])
  })
})
