import { describe, expect, it } from 'vitest'
import { traceTool } from '../../../src/index.ts'
import { answer, ask, caught, happened, orderStatus, recording, refund, round, session } from './desk.ts'

describe('a frozen replay', () => {
  it('answers from the recording, and nothing happens', async () => {
    const replay = session(await recording())
    const result = await replay.run(() => answer(replay.input as string))
    expect(result).toEqual({ text: 'answer to order A-17 is delivered', ref: 'R-A-17' })
    expect(happened).toEqual([])
    replay.verifyComplete()
    expect(replay.summary()).toEqual({
      mode: 'frozen',
      recorded: 4,
      matched: 4,
      pending: 0,
      calls: [
        { number: 1, kind: 'tool', label: 'order_status', action: 'substituted' },
        { number: 2, kind: 'llm', label: 'openai/gpt', action: 'substituted' },
        { number: 3, kind: 'tool', label: 'round', action: 'substituted' },
        { number: 4, kind: 'tool', label: 'refund', action: 'substituted' },
      ],
      divergence: null,
    })
  })

  it('knows the recorded input and the recorded calls before it begins', async () => {
    const replay = session(await recording())
    expect(replay.input).toBe('A-17')
    expect(replay.recordedCalls.map(({ label }) => label)).toEqual([
      'order_status',
      'openai/gpt',
      'round',
      'refund',
    ])
    expect([replay.pending, replay.matched]).toEqual([4, 0])
  })

  it('hands out a copy each time: what the agent changes reaches neither the recording nor the next replay', async () => {
    const path = await recording()
    const agent = async (): Promise<string> => {
      const order = await orderStatus({ id: 'A-17' })
      const { state } = order
      order.state = 'changed'
      return state
    }
    expect(await session(path).run(agent)).toBe('delivered')
    expect(await session(path).run(agent)).toBe('delivered')
  })

  it('throws a recorded failure again, with its class, and counts the call as made', async () => {
    const replay = session(await recording(id => refund({ id, amount: 500 })))
    const error = await caught(() => replay.run(() => refund({ id: 'A-17', amount: 500 })))
    expect(error).toBeInstanceOf(RangeError)
    expect(error).toMatchObject({ message: 'over the limit' })
    expect([replay.matched, replay.divergence]).toEqual([1, null])
  })

  it('gives undefined where the tool returned nothing, and null where it returned null', async () => {
    const nothing = traceTool('nothing', async () => undefined)
    const none = traceTool('none', async () => null)
    const both = async () => [await nothing(), await none()]
    const replay = session(await recording(both))
    expect(await replay.run(both)).toEqual([undefined, null])
  })

  it('decodes what was encoded', async () => {
    const when = traceTool('when', async () => new Date(0), {
      encode: date => date.toISOString(),
      decode: text => new Date(text as string),
    })
    const replay = session(await recording(() => when()))
    expect(await replay.run(() => when())).toEqual(new Date(0))
  })

  it('redacts the live input before it compares: another secret is the same call', async () => {
    const login = traceTool('login', async ({ user }: { user: string; api_key: string }) => user)
    const replay = session(await recording(() => login({ user: 'u', api_key: 'one' })))
    expect(await replay.run(() => login({ user: 'u', api_key: 'two' }))).toBe('u')
    replay.verifyComplete()
  })

  it('fills in defaults: a call without the argument is the call with the default', async () => {
    const replay = session(await recording(async () => round(1.5)))
    expect(await replay.run(async () => round(1.5, 0))).toBe(2)
    replay.verifyComplete()
  })
})

describe('verifyComplete', () => {
  it('throws when recorded calls were not made, naming the first five', async () => {
    const many = async (): Promise<void> => {
      for (let turn = 1; turn <= 6; turn++) await ask(`turn ${turn}`)
    }
    const replay = session(await recording(many))
    await replay.run(() => {})
    expect(() => replay.verifyComplete()).toThrow(
      expect.objectContaining({
        name: 'ReplayMismatchError',
        message: expect.stringMatching(/before 6 recorded calls: 1 openai\/gpt, .*5 openai\/gpt, …$/),
        details: expect.objectContaining({ kind: 'missing', call: 1 }),
      }),
    )
  })

  it('speaks of one call as one', async () => {
    const replay = session(await recording(id => orderStatus({ id })))
    await replay.run(() => {})
    expect(() => replay.verifyComplete()).toThrow(/before 1 recorded call: 1 order_status$/)
  })
})

describe('a session that is entered again', () => {
  it('goes on where it was left', async () => {
    const replay = session(await recording())
    await replay.run(() => orderStatus({ id: 'A-17' }))
    expect(replay.pending).toBe(3)
    await replay.run(async () => {
      await ask('order A-17 is delivered')
      await refund({ id: 'A-17', amount: round(42.46, 1) })
    })
    replay.verifyComplete()
    expect(replay.summary().calls).toHaveLength(4)
  })

  it('inside itself is refused', async () => {
    const replay = session(await recording())
    await replay.run(async () => {
      await expect(replay.run(() => {})).rejects.toMatchObject({ code: 'USAGE' })
    })
  })

  it('after its run failed is no longer inside itself', async () => {
    const replay = session(await recording(id => orderStatus({ id })))
    await caught(() =>
      replay.run(() => {
        throw new Error('first try')
      }),
    )
    expect(await replay.run(() => orderStatus({ id: 'A-17' }))).toMatchObject({ state: 'delivered' })
  })
})

describe('two sessions at once', () => {
  it('each answer their own agent', async () => {
    const [one, two] = [
      session(await recording(answer as never, 'one')),
      session(await recording(answer as never, 'two')),
    ]
    const results = await Promise.all([one.run(() => answer('one')), two.run(() => answer('two'))])
    expect(results.map(({ ref }) => ref)).toEqual(['R-one', 'R-two'])
    for (const replay of [one, two]) replay.verifyComplete()
  })
})
