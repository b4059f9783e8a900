import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TurnReplayError } from '../../../src/errors.ts'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import { hashOf } from '../../../src/turns/request-hash.ts'
import { ordered, stepsOf, turn } from './steps.ts'

const request = { model: 'claude', temperature: 0.2, messages: [{ role: 'user', content: 'Two, please' }] }

async function faultOf(promise: Promise<unknown>): Promise<TurnReplayError> {
  const fault = await promise.then(
    () => null,
    error => error,
  )
  expect(fault).toBeInstanceOf(TurnReplayError)
  return fault
}

describe('turns are served in their order', () => {
  it('and calls made at the same time get one each', async () => {
    const provider = ReplayProvider.fromSteps(
      'r',
      stepsOf([{ turn: turn('a') }, { turn: turn('b') }, { turn: turn('c') }]),
    )
    const turns = await Promise.all([provider.run(), provider.run(), provider.run()])
    expect(turns.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
    provider.verifyComplete()
  })

  it('whatever happens to the list afterwards', async () => {
    const steps = stepsOf([{ turn: turn('a') }, { turn: turn('b') }])
    const provider = ReplayProvider.fromSteps('r', steps)
    steps.length = 0
    expect(provider.remaining).toBe(2)
    expect((await provider.run()).text).toBe('a')
  })

  it('and a run of any shape gives every turn once, faults where they are, and stays there', async () => {
    const shapes = fc.array(fc.constantFrom('turn', 'tools', 'undecodable'), { maxLength: 12 })
    const law = fc.asyncProperty(shapes, fc.boolean(), async (kinds, skipToolOnly) => {
      const steps = stepsOf(kinds.map((kind, at) => (kind === 'tools' ? {} : { turn: turn(String(at)) })))
      const spoilt = steps.map((step, at) =>
        kinds[at] === 'undecodable'
          ? { ...step, inference: { ...step.inference!, finish_reason: 'odd' } }
          : step,
      )
      const provider = ReplayProvider.fromSteps('r', spoilt, { skipToolOnly })
      const served = kinds
        .map((kind, at) => ({ kind, at }))
        .filter(({ kind }) => !(skipToolOnly && kind === 'tools'))
      for (const [at, entry] of served.entries()) {
        expect(provider.remaining).toBe(served.length - at)
        if (entry.kind === 'turn') {
          expect((await provider.run()).text).toBe(String(entry.at))
          continue
        }
        for (let again = 0; again < 2; again++) {
          const kind = entry.kind === 'tools' ? 'no-inference' : 'decode'
          expect(await faultOf(provider.run())).toMatchObject({
            kind,
            position: entry.at,
            superStep: 10 + entry.at,
          })
          expect(provider.remaining).toBe(served.length - at)
        }
        return
      }
      expect(await faultOf(provider.run())).toMatchObject({ kind: 'missing-step', position: kinds.length })
    })
    await fc.assert(law, { numRuns: 100 })
  })
})

describe('what recorded turns say when they cannot answer', () => {
  it('names the run, the super-step and the position', async () => {
    const [first, second] = stepsOf([{ turn: turn('a') }, {}])
    const far = { ...second!, key: { ...second!.key, super_step: 2n ** 64n - 1n } }
    const provider = ReplayProvider.fromSteps('night "7"', [first!, far])
    await provider.run()
    expect(await faultOf(provider.run())).toMatchObject({
      code: 'ERR_STEPFORK_TURN',
      kind: 'no-inference',
      runId: 'night "7"',
      position: 1,
      superStep: 2n ** 64n - 1n,
      available: 2,
      message:
        'run "night \\"7\\"", super-step 18446744073709551615 (position 1 of 2): the step has no recorded inference, it only ran tools',
      hint: 'Pass { skipToolOnly: true } to go on with the next turn.',
    })
  })

  it('after the last turn: how many steps there were', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a') }]))
    await provider.run()
    expect(await faultOf(provider.run())).toMatchObject({
      kind: 'missing-step',
      position: 1,
      superStep: null,
      available: 1,
      message: 'no turn is left at position 1 of run "r", which has 1 step',
    })
  })

  it('names the step whose shape is wrong before anything is served', () => {
    const steps = stepsOf([{ turn: turn('a') }, { turn: turn('b') }])
    const odd = { ...steps[1]!.inference!, usage: { ...steps[1]!.inference!.usage, cached_tokens: 0.5 } }
    expect(() => ReplayProvider.fromSteps('r', [steps[0]!, { ...steps[1]!, inference: odd }])).toThrow(
      'the record is not valid at /1/inference/usage/cached_tokens: 0.5 is no whole number from 0 to 4294967295',
    )
  })
})

describe('a request is compared with the recorded hashes', () => {
  const provide = (options = {}) =>
    ReplayProvider.fromSteps(
      'r',
      stepsOf([
        { turn: turn('a'), request },
        { turn: turn('b'), request },
      ]),
      options,
    )

  it('and served when it is the same, whole or as a stream, in any order of members', async () => {
    const provider = provide()
    await provider.run(request)
    const { model, ...rest } = request
    await provider.run({
      ...rest,
      stream: true,
      signal: new AbortController().signal,
      seed: undefined,
      model,
    })
    provider.verifyComplete()
  })

  it.each([
    ['another prompt', { ...request, messages: [] }, 'prompt', /the prompt is not as recorded/],
    [
      'another temperature',
      { ...request, temperature: 0.3 },
      'params',
      /the settings, the tools or the model are not/,
    ],
    [
      'another model',
      { ...request, model: 'other' },
      'params',
      /the settings, the tools or the model are not/,
    ],
    ['one setting more', { ...request, seed: 1 }, 'params', /the settings, the tools or the model are not/],
  ])('and refused with %s, until it is right', async (_, live, part, words) => {
    const provider = provide()
    const fault = await faultOf(provider.run(live))
    expect(fault).toMatchObject({ kind: 'mismatch', position: 0, superStep: 10 })
    expect(fault.message).toMatch(words)
    expect(provider.remaining).toBe(2)
    expect((await provider.run(request)).text).toBe('a')
    expect(() => provider.verifyComplete()).toThrow(fault)

    const lax = provide({ onMismatch: 'warn' })
    expect((await lax.run(live)).text).toBe('a')
    expect(lax.mismatches).toMatchObject([{ position: 0, superStep: 10, part }])

    const blind = provide({ onMismatch: 'ignore' })
    expect((await blind.run(live)).text).toBe('a')
    expect(blind.mismatches).toEqual([])
  })

  it('but not with a hash that was made in a way that nobody told us', async () => {
    const hashes = { promptHash: 'abc', paramsHash: 'def' }
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), hashes }]))
    expect((await provider.run(request)).text).toBe('a')
  })

  it('by the hashes that the request brings, or that a function makes of it', async () => {
    const hashes = { promptHash: 'abc', paramsHash: 'def' }
    const steps = stepsOf([{ turn: turn('a'), hashes }])
    expect(await faultOf(ReplayProvider.fromSteps('r', steps).run({ promptHash: 'xyz' }))).toMatchObject({
      kind: 'mismatch',
    })
    expect((await ReplayProvider.fromSteps('r', steps).run({ promptHash: 'abc' })).text).toBe('a')
    const hashRequest = () => ({ promptHash: 'abc', paramsHash: 'other' })
    expect(await faultOf(ReplayProvider.fromSteps('r', steps, { hashRequest }).run(request))).toMatchObject({
      kind: 'mismatch',
    })
  })
})

describe('a wrapped tool', () => {
  const never = (): never => {
    throw new Error('the tool ran')
  }

  it('is answered from the record when it had side effects, with a copy', async () => {
    const steps = stepsOf([
      { turn: turn('a'), tools: [ordered(2, { order: 'A-1', lines: [1] })] },
      { turn: turn('b') },
    ])
    const provider = ReplayProvider.fromSteps('r', steps)
    const place = provider.tool('place_order', never as (args: { qty: number }) => { order: string })
    await provider.run()
    expect(await place({ qty: 2 })).toEqual({ order: 'A-1', lines: [1] })
    await provider.run()
    provider.verifyComplete()
  })

  it('runs when the record says that it had none', async () => {
    const provider = ReplayProvider.fromSteps(
      'r',
      stepsOf([{ turn: turn('a'), tools: [ordered(2, 'then', false)] }]),
    )
    const place = provider.tool('place_order', ({ qty }: { qty: number }) => `now ${qty}`)
    await provider.run()
    expect(await place({ qty: 2 })).toBe('now 2')
    provider.verifyComplete()
  })

  it.each([
    ['other arguments', { qty: 3 }, 'no recorded call with these arguments is left for it'],
    ['arguments of another type', { qty: '2' }, 'no recorded call with these arguments is left for it'],
  ])('is not run with %s', async (_, args, words) => {
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), tools: [ordered(2, 1)] }]))
    const place = provider.tool('place_order', never as (args: unknown) => number)
    await provider.run()
    const fault = await faultOf(place(args))
    expect(fault).toMatchObject({ kind: 'unrecorded-tool', position: 0, superStep: 10 })
    expect(fault.message).toContain(`the tool "place_order" was not run: ${words}`)
    expect(() => provider.verifyComplete()).toThrow(fault)
  })

  it('is not run when it was recorded once and is asked twice', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), tools: [ordered(2, 1)] }]))
    const place = provider.tool('place_order', never as (args: { qty: number }) => number)
    await provider.run()
    expect(await place({ qty: 2 })).toBe(1)
    await faultOf(place({ qty: 2 }))
  })

  it('is not answered before the turn that asked for it', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), tools: [ordered(2, 1)] }]))
    const place = provider.tool('place_order', never as (args: { qty: number }) => number)
    expect((await faultOf(place({ qty: 2 }))).message).toContain('run "r", before its first turn')
  })

  it('finds what a step without a model did, after the turn before it or before the first one', async () => {
    const parts = [{ tools: [ordered(1, 'first')] }, { turn: turn('a') }, { tools: [ordered(2, 'second')] }]
    const provider = ReplayProvider.fromSteps('r', stepsOf(parts), { skipToolOnly: true })
    const place = provider.tool('place_order', never as (args: { qty: number }) => string)
    expect(await place({ qty: 1 })).toBe('first')
    await provider.run()
    expect(await place({ qty: 2 })).toBe('second')
    provider.verifyComplete()
  })

  it('gets equal calls in recorded order, different ones in any', async () => {
    const tools = [ordered(1, 'a'), ordered(2, 'b'), ordered(1, 'c')]
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('x'), tools }]))
    const place = provider.tool('place_order', never as (args: { qty: number }) => string)
    await provider.run()
    expect(await Promise.all([place({ qty: 2 }), place({ qty: 1 }), place({ qty: 1 })])).toEqual([
      'b',
      'a',
      'c',
    ])
  })

  it('is found by its name alone when its arguments were hashed in a way that nobody told us', async () => {
    const foreign = { ...ordered(2, 1), args_hash: 'a1' }
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), tools: [foreign] }]))
    const place = provider.tool('place_order', never as (args: { qty: number }) => number)
    await provider.run()
    expect(await place({ qty: 99 })).toBe(1)
  })

  it.each([
    ['content', { Content: { ok: true } }, { ok: true }],
    ['content null', { Content: null }, null],
    [
      'content with an artifact',
      { ContentAndArtifact: { content: 'x', artifact: 1 } },
      { content: 'x', artifact: 1 },
    ],
    ['a command', { Command: { goto: 'end' } }, { Command: { goto: 'end' } }],
    ['anything else', [1], [1]],
    ['an object with more than content', { Content: 1, more: 2 }, { Content: 1, more: 2 }],
  ])('gets %s as the tool gave it', async (_, ret, expected) => {
    const record = { tool: 't', args_hash: hashOf({}), ret, is_side_effecting: true }
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a'), tools: [record] }]))
    const tool = provider.tool('t', never as (args: object) => unknown)
    await provider.run()
    expect(await tool({})).toEqual(expected)
  })
})

describe('at the end of a test', () => {
  it('a turn that nobody asked for is told', () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf([{ turn: turn('a') }]))
    expect(() => provider.verifyComplete()).toThrow(
      'run "r", super-step 10 (position 0 of 1): the agent ended without asking for this turn',
    )
  })

  it('so is a recorded side effect, if the tool was wrapped', async () => {
    const steps = stepsOf([{ turn: turn('a'), tools: [ordered(2, 1)] }])
    const provider = ReplayProvider.fromSteps('r', steps)
    await provider.run()
    provider.verifyComplete()
    provider.tool('place_order', () => 1)
    expect(() => provider.verifyComplete()).toThrow(
      'the recorded call of the tool "place_order" was not made',
    )
  })
})
