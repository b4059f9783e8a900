/**
 * What the Python implementation does in a replay, by the numbers under which its behaviours are listed (137 to 160): it
 * holds here as well, or the name says what is better. Altered payloads (145) are in test/unit/plan/treatment.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { llmRequest, traceTool } from '../../../src/index.ts'
import { ReplayError, ReplayMismatchError, ReplayPolicyError, readBundle } from '../../../src/testing.ts'
import { answer, ask, caught, happened, orderStatus, recording, refund, round, session } from './desk.ts'

const kindOf = (error: unknown): string => (error as ReplayMismatchError).details.kind
const model = (provider: string, name: string) => () =>
  llmRequest({ provider, model: name, input: { text: 'hi' } }, async () => 'hello')

describe('frozen', () => {
  it('137 gives the recorded output and does not run the body', async () => {
    expect(await session(await recording(() => ask('hi'))).run(() => ask('hi'))).toBe('answer to hi')
    expect(happened).toEqual([])
  })

  it('138 matches repeated calls in order, and flags calls that come in another', async () => {
    let times = 0
    const count = traceTool('count', async () => ++times)
    const twice = async () => [await count(), await count()]
    expect(await session(await recording(twice)).run(twice)).toEqual([1, 2])
    const one = () => orderStatus({ id: 'A' })
    const two = () => refund({ id: 'A', amount: 1 })
    const replay = session(await recording(async () => [await one(), await two()]))
    await caught(() => replay.run(async () => [await two(), await one()]))
    expect(kindOf(replay.divergence)).toBe('reordered')
  })

  it('138 bettered: calls made at the same time may come in any order', async () => {
    const one = () => orderStatus({ id: 'A' })
    const two = () => refund({ id: 'A', amount: 1 })
    const replay = session(await recording(() => Promise.all([one(), two()])))
    await replay.run(() => Promise.all([two(), one()]))
    expect(replay.divergence).toBeNull()
    replay.verifyComplete()
  })

  it.each([
    ['another model', model('openai', 'mini')],
    ['another provider', model('azure', 'gpt')],
    ['a tool in the place of a model', () => orderStatus({ id: 'A' })],
  ])('141 refuses %s, and names what was called', async (_, call: () => Promise<unknown>) => {
    const replay = session(await recording(model('openai', 'gpt')))
    const error = await caught(() => replay.run(call))
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect((error as ReplayMismatchError).details.label).toMatch(/openai\/mini|azure\/gpt|order_status/)
    expect([happened, replay.pending]).toEqual([[], 1])
  })

  it('142 compares redacted inputs by value', async () => {
    const pay = traceTool('pay', async (_: { eur: number; api_key: string }) => 'paid')
    const path = await recording(() => pay({ eur: 1, api_key: 'one' }))
    expect(await session(path).run(() => pay({ eur: 1, api_key: 'two' }))).toBe('paid')
    const error = await caught(() => session(path).run(() => pay({ eur: 2, api_key: 'one' })))
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect((error as Error).message).not.toContain('one')
  })

  it('143 refuses one call too many as exhausted', async () => {
    const replay = session(await recording(() => orderStatus({ id: 'A' })))
    const twice = async () => [await orderStatus({ id: 'A' }), await orderStatus({ id: 'A' })]
    const error = await caught(() => replay.run(twice))
    expect(kindOf(error)).toBe('exhausted')
  })

  it('144 lists the calls that are left over', async () => {
    const replay = session(await recording())
    await replay.run(() => orderStatus({ id: 'A-17' }))
    expect(() => replay.verifyComplete()).toThrow(/openai\/gpt.*round.*refund/s)
    expect(() => replay.verifyComplete()).toThrow(ReplayMismatchError)
  })

  it('146 bettered: throws a recorded failure as the class that it was, and counts it as consumed', async () => {
    const failing = () => refund({ id: 'A', amount: 500 })
    const replay = session(await recording(failing))
    expect(await caught(() => replay.run(failing))).toBeInstanceOf(RangeError)
    replay.verifyComplete()
  })

  it('147 refuses a call that was never answered when the recorded run went on without it', async () => {
    const slow = traceTool('slow', () => new Promise<string>(() => {}))
    const path = await recording(async () => {
      void slow()
      return orderStatus({ id: 'A' })
    })
    expect(kindOf(await caught(() => session(path).run(() => slow())))).toBe('no-result')
  })

  it('155 finds the new prompt and consumes nothing', async () => {
    const agent = async (prompt: string) => [await ask(prompt), await orderStatus({ id: 'A' })]
    const replay = session(await recording(() => agent('old')))
    expect(await caught(() => replay.run(() => agent('new')))).toBeInstanceOf(ReplayMismatchError)
    expect(replay.summary()).toMatchObject({ matched: 0 })
  })

  it('156 keeps the place after a mismatch: the right call may follow, and the divergence stays', async () => {
    const replay = session(await recording(() => orderStatus({ id: 'A' })))
    const result = await replay.run(async () => {
      await caught(() => round(1))
      return orderStatus({ id: 'A' })
    })
    expect(result).toEqual({ id: 'A', state: 'delivered' })
    expect(replay.divergence).toMatchObject({ details: { label: 'round' } })
  })

  it('158 refuses to run a session inside itself', async () => {
    const replay = session(await recording())
    const inside = await replay.run(() => caught(() => replay.run(() => answer('A-17'))))
    expect(inside).toBeInstanceOf(Error)
  })

  it('160 takes a default for what it is, and finds an argument that is new', async () => {
    const path = await recording(async () => round(1.5))
    expect(await session(path).run(async () => round(1.5, 0))).toBe(2)
    const other = await caught(() => session(path).run(async () => round(1.5, 1)))
    expect(other).toBeInstanceOf(ReplayMismatchError)
  })
})

describe('modes', () => {
  it('139 140 149 forbidden refuses before anything is matched, and all refusals are replay errors', async () => {
    const path = await recording()
    for (const call of [() => orderStatus({ id: 'A-17' }), () => round(7)]) {
      const error = await caught(() => session(path, { mode: 'forbidden' }).run(async () => call()))
      expect(error).toBeInstanceOf(ReplayPolicyError)
      expect(error).toBeInstanceOf(ReplayError)
    }
    expect(await caught(() => session(path).run(async () => round(7)))).toBeInstanceOf(ReplayError)
  })

  it('148 a call recorded as forbidden or manual is refused in every mode, live and derived change nothing', async () => {
    const risky = (policy: 'forbidden' | 'manual' | 'live' | 'derived') =>
      traceTool('risky', async () => 'ran', { policy })
    for (const policy of ['forbidden', 'manual'] as const) {
      const path = await recording(() => risky(policy)())
      for (const options of [{}, { live: ['risky'] }] as const)
        expect(await caught(() => session(path, options).run(() => risky(policy)()))).toBeInstanceOf(
          ReplayPolicyError,
        )
    }
    for (const policy of ['live', 'derived'] as const)
      expect(await session(await recording(() => risky(policy)())).run(() => risky(policy)())).toBe('ran')
    expect(happened).toEqual([])
  })

  it('150 live runs models, and tools only when they are named, with the recorded input', async () => {
    const path = await recording()
    const replay = session(path, { mode: 'live', live: ['order_status'] })
    expect(await caught(() => replay.run(() => answer('A-17')))).toBeInstanceOf(ReplayPolicyError)
    expect(happened).toEqual(['order_status A-17', 'ask order A-17 is delivered'])
    happened.length = 0
    const other = session(path, { mode: 'live', live: ['order_status'] })
    expect(await caught(() => other.run(() => answer('B')))).toBeInstanceOf(ReplayMismatchError)
    expect(happened).toEqual([])
  })

  it('151 153 names are an error in a mode that runs nothing, and hybrid needs them', async () => {
    const path = await recording()
    expect(() => session(path, { mode: 'frozen', live: ['refund'] })).toThrow()
    expect(() => session(path, { mode: 'hybrid', live: [] })).toThrow()
  })

  it('152 live does not reproduce a recorded failure', async () => {
    let isBroken = true
    const flaky = traceTool('flaky', async () => {
      if (isBroken) throw new Error('down')
      return 'up'
    })
    const path = await recording(() => flaky())
    isBroken = false
    expect(await session(path, { mode: 'live', live: ['flaky'] }).run(() => flaky())).toBe('up')
  })

  it('153 154 157 hybrid runs what is named with any input, serves the rest, and refuses a new tool unrun', async () => {
    const agent = async (prompt: string) => [await orderStatus({ id: 'A' }), await ask(prompt)]
    const path = await recording(() => agent('old'))
    const replay = session(path, { live: ['openai/gpt'] })
    await replay.run(() => agent('new'))
    expect(replay.summary().calls.map(({ action }) => action)).toEqual(['substituted', 'executed'])
    expect(happened).toEqual(['ask new'])
    const strict = session(path, { live: ['openai/gpt'] })
    await caught(() => strict.run(() => refund({ id: 'A', amount: 1 })))
    expect([happened, strict.pending]).toEqual([['ask new'], 2])
  })

  it('159 takes a bundle from its path', async () => {
    expect(session(await recording()).recordedCalls).toHaveLength(4)
    expect(readBundle(await recording()).manifest.agent_name).toBe('desk')
  })
})
