import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { traceTool } from '../../../src/index.ts'
import { replay } from '../../../src/testing.ts'
import { happened, recording } from './desk.ts'

interface Ask {
  readonly q: string
  readonly signal?: AbortSignal
}

/** Takes no notice of a signal. */
const deaf = traceTool('deaf', async ({ q }: Ask) => {
  happened.push('deaf')
  await pause(q === 'slow' ? 20 : 1)
  return `deaf to ${q}`
})

const obedient = traceTool('obedient', async ({ q, signal }: Ask) => {
  happened.push('obedient')
  await pause(q === 'slow' ? 60_000 : 1, undefined, { signal })
  return `heard ${q}`
})

class UserAbort extends Error {
  override name = 'UserAbort'
}

/** As an SDK, which has an error of its own for an abort. */
const worded = traceTool('worded', ({ signal }: Ask) => {
  happened.push('worded')
  return new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new UserAbort('Request was aborted.'))),
  )
})

const endless = traceTool('endless', (_: Ask) => new Promise<never>(() => {}))

/** Goes on giving values whatever the signal says. */
const deafLines = traceTool('lines', async function* ({ q }: Ask) {
  for (let line = 1; line <= 4; line++) {
    await pause(1)
    yield `${q} ${line}`
  }
})

type Tool = (ask: Ask) => Promise<unknown>

/** Asks two at once, aborts when the first has answered, and waits for the other all the same. */
const hedged = (slow: Tool) => async (): Promise<unknown> => {
  const controller = new AbortController()
  const calls = [slow({ q: 'slow', signal: controller.signal }), deaf({ q: 'fast' })]
  const winner = await Promise.race(calls)
  controller.abort()
  const loser = await calls[0]!.catch((error: Error) => `${error.name}: ${error.message}`)
  return { winner, loser }
}

const originOf = (path: string): string => readFileSync(join(path, 'x-origin.jsonl'), 'utf8')

/** Recorded and replayed: matched, and nothing ran. Gives the log of the recording. */
async function twice(agent: () => Promise<unknown>): Promise<string> {
  const path = await recording(agent)
  const outcome = await replay(path, { agent })
  expect(happened).toEqual([])
  outcome.assertMatched()
  return originOf(path)
}

describe('a call that the agent aborts while it is open', () => {
  it('and whose tool takes no notice has its result again', async () => {
    const origin = await twice(hedged(deaf))
    expect(origin).toMatch(/\{"call":1,"abort":true,"at":[\d.]+\}\n\{"call":1,"part":"end"/)
  })

  it('and whose tool ends by it rejects again with the reason of the signal', async () => {
    const origin = await twice(hedged(obedient))
    expect(origin).toContain('"abort":true')
  })

  it('and whose tool has an error of its own for it gets that error', () => twice(hedged(worded)))

  it.each([
    ['heeds it', obedient],
    ['takes no notice', deaf],
  ])('by a timer, and whose tool %s, is not answered before that', async (_, tool) => {
    await twice(async () => {
      const controller = new AbortController()
      const timer = setTimeout(() => controller.abort(), 10)
      const ending = await tool({ q: 'slow', signal: controller.signal }).catch((error: Error) => error.name)
      clearTimeout(timer)
      return { ending, aborted: controller.signal.aborted }
    })
  })

  it('and which never ends stays open', () =>
    twice(async () => {
      const controller = new AbortController()
      const call = endless({ q: 'slow', signal: controller.signal })
      await deaf({ q: 'fast' })
      controller.abort()
      return Promise.race([call.catch(() => 'rejected'), pause(5).then(() => 'open')])
    }))

  it('before it was made is answered as it was', () =>
    twice(async () => {
      const signal = AbortSignal.abort()
      return Promise.all([
        deaf({ q: 'slow', signal }),
        obedient({ q: 'slow', signal }).catch((error: Error) => error.name),
      ])
    }))

  it('and which is a stream that takes no notice is read to its end', () =>
    twice(async () => {
      const controller = new AbortController()
      const read: string[] = []
      for await (const line of deafLines({ q: 'line', signal: controller.signal })) {
        read.push(line)
        if (read.length === 2) controller.abort()
      }
      return read
    }))

  it('now, but did not in the recording, rejects at once', async () => {
    const agent = (aborts: boolean) => async (): Promise<unknown> => {
      const controller = new AbortController()
      const call = deaf({ q: 'slow', signal: controller.signal })
      if (aborts) controller.abort(new Error('enough'))
      return call.catch((error: Error) => error.message)
    }
    const outcome = await replay(await recording(agent(false)), { agent: agent(true) })
    expect(outcome.divergences).toMatchObject([{ kind: 'output-differs', actual: 'enough' }])
  })
})

it('many calls with one signal do not make Node warn of a leak', async () => {
  const warnings: Error[] = []
  const listener = (warning: Error): void => void warnings.push(warning)
  process.on('warning', listener)
  const { signal } = new AbortController()
  await twice(() => Promise.all(Array.from({ length: 20 }, (_, at) => deaf({ q: `${at}`, signal }))))
  await pause(1)
  process.off('warning', listener)
  expect(warnings).toEqual([])
})
