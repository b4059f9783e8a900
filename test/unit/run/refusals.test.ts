import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { llmRequest, traceTool } from '../../../src/index.ts'
import {
  ReplayError,
  ReplayExhaustedError,
  ReplayMismatchError,
  ReplayPolicyError,
} from '../../../src/testing.ts'
import { answer, ask, caught, happened, orderStatus, recording, refund, round, session } from './desk.ts'

describe('a call that the recording does not have', () => {
  it('is refused before its body runs, with what it asked for', async () => {
    const replay = session(await recording())
    const error = await caught(() => replay.run(() => orderStatus({ id: 'B-1' })))
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect(error).toMatchObject({
      code: 'ERR_STEPFORK_DIVERGED',
      status: 400,
      isRetryable: false,
      details: { kind: 'extra', call: null, live: 1, label: 'order_status' },
    })
    expect(happened).toEqual([])
  })

  it('keeps the place: the agent may catch the refusal and make the right call', async () => {
    const replay = session(await recording())
    const result = await replay.run(async () => {
      await caught(() => orderStatus({ id: 'B-1' }))
      return answer('A-17')
    })
    expect(result).toMatchObject({ ref: 'R-A-17' })
    expect([replay.matched, replay.pending]).toEqual([4, 0])
    expect(() => replay.verifyComplete()).toThrow(ReplayMismatchError)
  })

  it('is kept as the divergence, the first of them, also when the agent swallows it', async () => {
    const replay = session(await recording())
    await replay.run(async () => {
      await caught(() => orderStatus({ id: 'B-1' }))
      await caught(() => ask('something else'))
    })
    expect(replay.divergence).toMatchObject({ details: { live: 1, label: 'order_status' } })
    expect(replay.summary().divergence).toMatch(/order_status/)
  })

  it('may be synchronous: it is refused on the spot', async () => {
    const replay = session(await recording())
    await replay.run(() => {
      expect(() => round(9)).toThrow(ReplayMismatchError)
    })
    expect(happened).toEqual([])
  })

  it('is exhausted when the recording has it, but not once more', async () => {
    const replay = session(await recording(id => orderStatus({ id })))
    const error = await caught(() =>
      replay.run(async () => [await orderStatus({ id: 'A-17' }), await orderStatus({ id: 'A-17' })]),
    )
    expect(error).toBeInstanceOf(ReplayExhaustedError)
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect(replay.divergence).toBeInstanceOf(ReplayExhaustedError)
  })

  it('is a ReplayError, and an Error that an agent can print', async () => {
    const error = await caught(async () => session(await recording()).run(() => ask('what')))
    expect(error).toBeInstanceOf(ReplayError)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toMatch(/^ReplayMismatchError: stepfork: .*openai\/gpt/)
  })
})

describe('calls that come in another order', () => {
  it('are fine where the recording made them side by side', async () => {
    const replay = session(await recording(id => Promise.all([orderStatus({ id }), ask('x')])))
    const [text] = await replay.run(() => Promise.all([ask('x'), orderStatus({ id: 'A-17' })]))
    expect(text).toBe('answer to x')
    replay.verifyComplete()
  })

  it('are refused where the first is no longer awaited before the second is made', async () => {
    const replay = session(await recording(async id => [await orderStatus({ id }), await ask('x')]))
    const [order, early] = await replay.run(() =>
      Promise.all([orderStatus({ id: 'A-17' }), caught(() => ask('x'))]),
    )
    expect(order).toMatchObject({ state: 'delivered' })
    expect(early).toBeInstanceOf(ReplayMismatchError)
  })

  it('are refused out of their turn, and the place stays free', async () => {
    const replay = session(await recording(async id => [await orderStatus({ id }), await ask('x')]))
    const result = await replay.run(async () => {
      const early = await caught(() => ask('x'))
      return [early, await orderStatus({ id: 'A-17' }), await ask('x')]
    })
    expect(result[0]).toBeInstanceOf(ReplayMismatchError)
    expect(result[2]).toBe('answer to x')
    expect(replay.pending).toBe(0)
    expect(replay.divergence).toMatchObject({ details: { kind: 'reordered' } })
  })
})

describe('mode forbidden', () => {
  it('refuses every call, recorded or not', async () => {
    const replay = session(await recording(), { mode: 'forbidden' })
    await replay.run(async () => {
      for (const id of ['A-17', 'B-1']) {
        const error = await caught(() => orderStatus({ id }))
        expect(error).toBeInstanceOf(ReplayPolicyError)
        expect(error).toMatchObject({ code: 'ERR_STEPFORK_REFUSED', message: /mode forbidden/ })
      }
      expect(() => round(42.46, 1)).toThrow(ReplayPolicyError)
    })
    expect(replay.divergence).toBeInstanceOf(ReplayPolicyError)
    expect(happened).toEqual([])
  })
})

describe('a call recorded with policy forbidden or manual', () => {
  it.each(['forbidden', 'manual'] as const)('%s: is refused, its body does not run', async policy => {
    const charge = traceTool('charge', async (_: { amount: number }) => happened.push('charge'), { policy })
    const replay = session(await recording(() => charge({ amount: 1 })))
    const error = await caught(() => replay.run(() => charge({ amount: 1 })))
    expect(error).toBeInstanceOf(ReplayPolicyError)
    expect(happened).toEqual([])
    expect(replay.divergence).toBeInstanceOf(ReplayPolicyError)
  })
})

describe('what a run leaves behind', () => {
  it('is not made for real after the run has ended', async () => {
    const replay = session(await recording(id => orderStatus({ id })))
    let late: Promise<unknown> = Promise.resolve()
    await replay.run(async () => {
      setTimeout(() => {
        late = caught(() => refund({ id: 'late', amount: 1 }))
      }, 20)
      return orderStatus({ id: 'A-17' })
    })
    await new Promise(resolve => setTimeout(resolve, 60))
    const outcome = await Promise.race([
      late,
      new Promise(resolve => setTimeout(() => resolve('pending'), 30)),
    ])
    expect(outcome === 'pending' || outcome instanceof ReplayError).toBe(true)
    expect(happened).toEqual([])
  })
})

describe('a recorded call that cannot be answered', () => {
  it('was altered since: it is refused before it is used', async () => {
    const path = await recording(id => orderStatus({ id }))
    const file = join(path, 'events.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"delivered"', '"cancelled"'))
    const replay = session(path)
    const error = await caught(() => replay.run(() => orderStatus({ id: 'A-17' })))
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect(error).toMatchObject({ details: { kind: 'altered-recording' } })
    expect(replay.pending).toBe(1)
  })

  it('was still open when the recording broke off', async () => {
    const path = await recording(id => orderStatus({ id }))
    const file = join(path, 'events.jsonl')
    const [start, call] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, `${start}\n${call}\n`)
    rmSync(join(path, 'x-origin.jsonl'))
    const replay = session(path)
    const error = await caught(() => replay.run(() => orderStatus({ id: 'A-17' })))
    expect(error).toMatchObject({ details: { kind: 'no-result' }, message: /has no answer/ })
    expect(replay.divergence).toMatchObject({ details: { kind: 'no-result' } })
  })
})

describe('another model', () => {
  const asks = (provider: string | null, model: string) => () =>
    llmRequest({ provider, model, input: 'hi' }, async () => happened.push(model))

  it.each([
    ['another name', 'openai', 'gpt-2'],
    ['another provider', 'azure', 'gpt'],
    ['no provider', null, 'gpt'],
  ])('%s is another call', async (_what, provider, model) => {
    const replay = session(await recording(asks('openai', 'gpt')))
    expect(await caught(() => replay.run(asks(provider, model)))).toBeInstanceOf(ReplayMismatchError)
    expect(happened).toEqual([])
  })

  it('a provider where none was recorded is another call, too', async () => {
    const replay = session(await recording(asks(null, 'gpt')))
    expect(await caught(() => replay.run(asks('openai', 'gpt')))).toBeInstanceOf(ReplayMismatchError)
  })
})
