import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { llmRequest, traceTool, traceTools } from '../../../src/index.ts'
import { happened, orderStatus, recording, session } from './desk.ts'

const log = traceTool('log', async ({ line }: { line: string }) => void happened.push(line), { order: 'any' })
const plainLog = traceTool('log', async ({ line }: { line: string }) => void happened.push(line))

/** Writes its log before or after the one call that counts. */
const desk =
  (write: typeof log, when: 'before' | 'after') =>
  async (id: string): Promise<string> => {
    if (when === 'before') await write({ line: id })
    const { state } = await orderStatus({ id })
    if (when === 'after') await write({ line: id })
    return state
  }

const originOf = (path: string): string => readFileSync(join(path, 'x-origin.jsonl'), 'utf8')

describe('a tool with order: any', () => {
  it('may be called before or after what it was recorded with', async () => {
    const path = await recording(desk(log, 'before'))
    expect(originOf(path)).toContain('"order":"any"')
    for (const when of ['before', 'after'] as const) {
      const run = session(path)
      await run.run(desk(log, when))
      run.verifyComplete()
    }
    expect(happened).toEqual([])
  })

  it('without it would be out of order', async () => {
    const run = session(await recording(desk(plainLog, 'before')), { onDivergence: 'continue' })
    await run.run(desk(plainLog, 'after'))
    expect(run.facts.filter(fact => fact.kind === 'given-up')).toEqual([
      { kind: 'given-up', call: 1, forLive: 1 },
    ])
  })

  it('holds nobody up while it is not called, and is told as missing when it never is', async () => {
    const path = await recording(desk(log, 'before'))
    const run = session(path, { stallMs: 60_000 })
    const began = performance.now()
    await run.run(async (id: string) => (await orderStatus({ id })).state)
    expect(performance.now() - began).toBeLessThan(30_000)
    expect(run.facts.some(fact => fact.kind === 'given-up')).toBe(false)
    expect(() => run.verifyComplete()).toThrow('the run ended before 1 recorded call: 1 log')
  })

  it('may be freed after the recording was made', async () => {
    const path = await recording(desk(plainLog, 'after'))
    expect(originOf(path)).not.toContain('"order"')
    const run = session(path)
    await run.run(desk(log, 'before'))
    run.verifyComplete()
  })

  it('is asked with the recorded input all the same', async () => {
    const run = session(await recording(desk(log, 'after')))
    await expect(run.run(() => log({ line: 'another' }))).rejects.toThrow('so it was refused')
  })
})

it('all tools of a set are freed together', async () => {
  const tools = traceTools({ ping: async () => 'pong', pong: async () => 'ping' }, { order: 'any' })
  const run = session(await recording(async () => `${await tools.ping()} ${await tools.pong()}`))
  expect(await run.run(async () => [await tools.pong(), await tools.ping()].join())).toBe('ping,pong')
  run.verifyComplete()
})

it('a model call may be freed alone', async () => {
  const ask = (text: string, order?: 'any'): Promise<string> =>
    llmRequest({ model: 'gpt', input: { text }, ...(order && { order }) }, async () => {
      await pause(1)
      return text.toUpperCase()
    })
  const path = await recording(async () => `${await ask('title', 'any')}: ${await ask('story')}`)
  const run = session(path)
  expect(await run.run(async () => [await ask('story'), await ask('title', 'any')].join())).toBe(
    'STORY,TITLE',
  )
  run.verifyComplete()
})
