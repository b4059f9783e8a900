import { describe, expect, it } from 'vitest'
import { traceTool } from '../../../src/index.ts'
import { ReplayMismatchError } from '../../../src/testing.ts'
import { ask, caught, happened, orderStatus, recording, refund, session } from './desk.ts'

describe('mode hybrid', () => {
  it('runs what is named, whatever its input, and answers the rest from the recording', async () => {
    const agent = async (id: string, prompt: string): Promise<string> => {
      await orderStatus({ id })
      const text = await ask(prompt)
      await refund({ id, amount: 1 })
      return text
    }
    const path = await recording(id => agent(id, 'old'))
    const replay = session(path, { live: ['openai/gpt'] })
    expect(await replay.run(() => agent('A-17', 'new'))).toBe('answer to new')
    expect(happened).toEqual(['ask new'])
    expect(replay.summary()).toMatchObject({ mode: 'hybrid', matched: 3, pending: 0, divergence: null })
    expect(replay.executed).toEqual([{ number: 2, kind: 'llm', label: 'openai/gpt', action: 'executed' }])
    replay.verifyComplete()
  })

  it('refuses a new tool that is not named, before its body runs', async () => {
    const replay = session(await recording(), { live: ['openai/gpt'] })
    const error = await caught(() => replay.run(() => refund({ id: 'new', amount: 1 })))
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect([happened, replay.pending]).toEqual([[], 4])
  })

  it('refuses mode manual, as there is nobody to ask', async () => {
    const path = await recording()
    expect(() => session(path, { mode: 'manual' } as never)).toThrow('mode manual asks at a terminal')
  })

  it.each([
    [{ mode: 'hybrid' }, /unless `live` names/],
    [{ mode: 'frozen', live: ['refund'] }, /mode frozen runs nothing for real/],
    [{ mode: 'forbidden', live: ['refund'] }, /mode forbidden runs nothing for real/],
  ] as const)('needs names, and other modes take none: %j', async (options, message) => {
    const path = await recording()
    expect(() => session(path, options)).toThrow(
      expect.objectContaining({ code: 'USAGE', message: expect.stringMatching(message) }),
    )
  })
})

describe('calls inside the body of another', () => {
  const plan = traceTool('plan', async ({ id }: { id: string }) => {
    happened.push('plan')
    return (await orderStatus({ id })).state
  })

  it('are not made when the outer one is answered from the recording', async () => {
    const replay = session(await recording(id => plan({ id })))
    expect(await replay.run(() => plan({ id: 'A-17' }))).toBe('delivered')
    expect(happened).toEqual([])
    replay.verifyComplete()
    expect(replay.recordedCalls.map(({ label }) => label)).toEqual(['plan'])
  })

  it('are answered from the recording when the outer one runs for real', async () => {
    const replay = session(await recording(id => plan({ id })), { live: ['plan'] })
    expect(replay.recordedCalls.map(({ label }) => label)).toEqual(['plan', 'order_status'])
    expect(await replay.run(() => plan({ id: 'A-17' }))).toBe('delivered')
    expect(happened).toEqual(['plan'])
    expect(replay.summary().calls.map(({ label, action }) => [label, action])).toEqual([
      ['plan', 'executed'],
      ['order_status', 'substituted'],
    ])
  })
})
