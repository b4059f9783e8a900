/** Values that JSON cannot carry, from the agent into a bundle and back to the agent. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { llmRequest, record, traceTool } from '../../../src/index.ts'
import { readBundle, recorded, replay, validateBundle } from '../../../src/testing.ts'
import { arbitraryValue } from '../json/arbitrary-value.ts'
import { eventsOf, freshPath } from './desk.ts'

const sidecar = (path: string): string => readFileSync(join(path, 'x-values.jsonl'), 'utf8')

/** Records `agent` and replays it; what it got from its calls, both times. */
async function twice(
  agent: (seen: unknown[]) => Promise<unknown>,
): Promise<{ path: string; seen: unknown[][] }> {
  const path = freshPath()
  const seen: unknown[][] = [[], []]
  await record({ agent: 'desk', output: path }, () => agent(seen[0]!))
  const outcome = await replay(path, { agent: () => agent(seen[1]!) })
  expect(outcome.divergences).toEqual([])
  expect(outcome.verdict).toBe('matched')
  return { path, seen }
}

describe('whatever a tool takes and gives', () => {
  it('comes back in a replay as it was, matches, and is a valid bundle', async () => {
    const values = fc.sample(arbitraryValue, { numRuns: 120, seed: 7 })
    const tools = traceTool('tool', async (_input: { value: unknown }, at: number) => values[at])
    const { path, seen } = await twice(async got => {
      for (const [at, value] of values.entries()) got.push(await tools({ value }, at))
      return values
    })
    expect(isDeepStrictEqual(seen[1], seen[0])).toBe(true)
    expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
  })

  it('comes back chunk by chunk, and at the end of a stream', async () => {
    const rows = traceTool('rows', async function* (): AsyncGenerator<unknown, unknown> {
      yield new Map([['at', new Date(0)]])
      yield undefined
      yield [Number.NaN, 1n]
      return new Set([1])
    })
    const nothing = traceTool('nothing', async function* (): AsyncGenerator<unknown, unknown> {
      yield 1
      return null
    })
    const { seen } = await twice(async got => {
      for (const stream of [rows(), nothing()]) {
        let step = await stream.next()
        for (; !step.done; step = await stream.next()) got.push(step.value)
        got.push(step.value)
      }
    })
    expect(seen[1]).toEqual([
      new Map([['at', new Date(0)]]),
      undefined,
      [Number.NaN, 1n],
      new Set([1]),
      1,
      null,
    ])
    expect(isDeepStrictEqual(seen[1], seen[0])).toBe(true)
  })

  it('may be many: more than a function takes arguments', async () => {
    const many = traceTool('many', async (_: unknown) => Array(130_000).fill(Number.NaN))
    const { seen } = await twice(async got => {
      got.push((await many(null)).every(Number.isNaN))
    })
    expect(seen[1]).toEqual([true])
  })

  it('comes back from a model and a synchronous tool, as a value of its own each time', async () => {
    const when = traceTool('when', () => ({ at: new Date(0), bytes: Buffer.from('hi') }))
    const { seen } = await twice(async got => {
      const first = when()
      first.at.setFullYear(1999)
      got.push(first, when())
      got.push(
        await llmRequest(
          { model: 'm', input: { seed: 5n, at: new Date(1) } },
          async () => new Map([[1, { n: -0 }]]),
        ),
      )
    })
    expect(isDeepStrictEqual(seen[1], seen[0])).toBe(true)
  })

  it('comes back as an error that was returned, not thrown', async () => {
    const check = traceTool('check', async () => ({
      problem: Object.assign(new RangeError('too much', { cause: new TypeError('why') }), {
        code: 'E1',
        at: new Date(3),
      }),
    }))
    const { seen } = await twice(async got => void got.push((await check()).problem))
    expect(seen[1]![0]).toBeInstanceOf(RangeError)
    expect(seen[1]![0]).toMatchObject({
      message: 'too much',
      code: 'E1',
      at: new Date(3),
      cause: { name: 'TypeError' },
    })
  })

  it('is what encode made of it, decode getting it back, where a tool has both', async () => {
    class Money {
      readonly cents: bigint
      constructor(cents: bigint) {
        this.cents = cents
      }
    }
    const price = traceTool('price', async () => new Money(5n), {
      encode: money => ({ cents: money.cents, at: new Date(0) }),
      decode: plain => new Money((plain as { cents: bigint }).cents),
    })
    const { seen } = await twice(async got => void got.push(await price()))
    expect(seen[1]).toEqual([new Money(5n)])
  })

  it('that cannot be carried is an error before the tool runs', async () => {
    let ran = false
    const send = traceTool('send', async (_input: { to: unknown }) => {
      ran = true
    })
    const run = record({ agent: 'desk', output: freshPath() }, () => send({ to: new Map([['f', () => 1]]) }))
    await expect(run).rejects.toThrow(
      'send was called with what is not JSON: a function has no JSON form (at $.to.f)',
    )
    expect(ran).toBe(false)
  })
})

describe('an input or output', () => {
  const ask = traceTool('ask', async (input: { at: unknown }) => typeof input)

  it.each<[string, unknown, unknown]>([
    ['a date and another', new Date(1), new Date(2)],
    ['a date and its text', new Date(1), new Date(1).toISOString()],
    ['a text and the date', new Date(1).toISOString(), new Date(1)],
    ['a Map and an object', new Map([['a', 1]]), { a: 1 }],
    ['NaN and null', Number.NaN, null],
  ])('of our recording differs: %s', async (_what, then, now) => {
    const path = freshPath()
    await record({ agent: 'desk', output: path }, () => ask({ at: then }))
    const outcome = await replay(path, { agent: () => ask({ at: now }) })
    expect(
      outcome.divergences.map(({ kind, differences }) => [kind, differences.map(({ path }) => path)]),
    ).toEqual([['changed-input', ['/at']]])
    expect(() => outcome.assertMatched()).toThrow(/changed/)
    const output = freshPath()
    await record({ agent: 'desk', output }, () => then)
    expect((await replay(output, { agent: () => now })).divergences).toMatchObject([
      { kind: 'output-differs' },
    ])
    expect((await replay(output, { agent: () => then })).divergences).toEqual([])
  })

  it('is compared by its plain form where the recording does not tell, as in one of Python', async () => {
    const path = freshPath()
    await record({ agent: 'desk', output: path }, () => ask({ at: '1970-01-01T00:00:00.000Z' }))
    rmSync(join(path, 'x-origin.jsonl'))
    rmSync(join(path, 'integrity.json'))
    const outcome = await replay(path, { agent: () => ask({ at: new Date(0) }) })
    expect(outcome.divergences).toEqual([])
  })

  it('shows in the report what it is', async () => {
    const path = freshPath()
    await record({ agent: 'desk', output: path }, () => ask({ at: new Date(0) }))
    const outcome = await replay(path, { agent: () => ask({ at: '1970-01-01T00:00:00.000Z' }) })
    expect(() => outcome.assertMatched()).toThrow(
      /recorded +Date\("1970-01-01T00:00:00.000Z"\)\n.*live +"1970-01-01T00:00:00.000Z"/,
    )
  })
})

describe('the arguments of a recorded() function', () => {
  it('are the recorded ones again', async () => {
    vi.stubEnv('CI', '')
    const path = freshPath()
    const agent = async (since: Date, ids: Set<bigint>) => ({ since, ids })
    await recorded(path, agent, new Date(5), new Set([1n]))
    const seen: unknown[] = []
    await replay(path, { agent: (...args: unknown[]) => void seen.push(...args), compareOutput: false })
    expect(seen).toEqual([new Date(5), new Set([1n])])
  })
})

describe('a secret', () => {
  it('in a Map is redacted by its name, and what stood around it comes back', async () => {
    const path = freshPath()
    const login = traceTool('login', async () => ({
      session: new Map<unknown, unknown>([
        ['password', new Set(['hunter2'])],
        ['at', new Date(0)],
      ]),
      other: new Map<unknown, unknown>([
        [1, 2],
        ['api_key', 'hunter2'],
      ]),
      place: new URL('https://a.example/?key=sk-abcdefgh12'),
    }))
    await record({ agent: 'desk', output: path }, () => login())
    const files = ['events.jsonl', 'x-values.jsonl', 'x-origin.jsonl'].map(name =>
      readFileSync(join(path, name), 'utf8'),
    )
    expect(files.join('')).not.toMatch(/hunter2|sk-abc/)
    const seen: unknown[] = []
    await replay(path, { agent: async () => void seen.push(await login()), compareOutput: false })
    expect(seen).toEqual([
      {
        session: new Map<unknown, unknown>([
          ['password', '[REDACTED]'],
          ['at', new Date(0)],
        ]),
        other: new Map<unknown, unknown>([
          [1, 2],
          ['api_key', '[REDACTED]'],
        ]),
        place: new URL('https://a.example/?key=[REDACTED]'),
      },
    ])
  })

  it('in bytes that are a text is redacted, and the bytes come back with what is left', async () => {
    const path = freshPath()
    const login = traceTool('login', async (_input: { body: Uint8Array }) => ({
      body: Buffer.from('Authorization: Bearer abcdefgh12345678, ok'),
      image: Buffer.from([0xff, 0xd8, 0xff]),
    }))
    const agent = () => login({ body: new TextEncoder().encode('key=sk-abcdefgh12345678') })
    await record({ agent: 'desk', output: path }, agent)
    const events = readFileSync(join(path, 'events.jsonl'), 'utf8')
    const texts = [...events.matchAll(/"((?:[A-Za-z0-9+/]{4})+(?:==|=)?)"/g)].map(([, text]) =>
      Buffer.from(text!, 'base64').toString(),
    )
    expect(texts.filter(text => text.includes('[REDACTED]'))).toHaveLength(2)
    expect(texts.join('')).not.toMatch(/abcdefgh/)
    const seen: unknown[] = []
    const outcome = await replay(path, {
      agent: async () => void seen.push(await agent()),
      compareOutput: false,
    })
    expect(outcome.divergences).toEqual([])
    expect(seen).toMatchObject([{ image: Buffer.from([0xff, 0xd8, 0xff]) }])
    expect(String((seen[0] as { body: Buffer }).body)).toMatch(/^Authorization.*\[REDACTED\], ok$/)
  })

  it('in bytes under an odd name is redacted as well', async () => {
    const odd = JSON.parse('{"__proto__": 1}') as Record<string, unknown>
    Object.defineProperty(odd, '__proto__', {
      value: Buffer.from('Bearer abcdefgh12345678'),
      enumerable: true,
    })
    const path = freshPath()
    await record({ agent: 'desk', output: path }, () => traceTool('odd', async () => odd)())
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).toContain(
      `"__proto__":"${Buffer.from('Bearer [REDACTED]').toString('base64')}"`,
    )
  })

  it('that is a name leaves its bundle readable', async () => {
    const path = freshPath()
    const keys = traceTool('keys', async () => ({ 'sk-abcdefgh12': new Date(0) }))
    await record({ agent: 'desk', output: path }, () => keys())
    expect((await replay(path, { agent: () => keys(), compareOutput: false })).divergences).toEqual([])
  })
})

describe('an x-values file that contradicts its events', () => {
  const broken = async (change: (text: string) => string): Promise<string> => {
    const path = freshPath()
    const when = traceTool('when', async () => ({ at: new Date(0) }))
    await record({ agent: 'desk', output: path }, () => when())
    writeFileSync(join(path, 'x-values.jsonl'), change(sidecar(path)))
    return path
  }

  it.each<[string, (text: string) => string, RegExp]>([
    ['a place that is not there', text => text.replace('"/at"', '"/at/x"'), /there is nothing/],
    ['another kind', text => text.replace('"is":"Date"', '"is":"RegExp"'), /none of the kind RegExp/],
    [
      'an event that is not there',
      text => text.replace(/"event":"evt_[0-9a-f]+"/, '"event":"evt_x"'),
      /no such event/,
    ],
    ['a kind that nobody knows', text => text.replace('"is":"Date"', '"is":"Function"'), /x-values.jsonl:2/],
  ])('is refused with a sentence: %s', async (_what, change, sentence) => {
    const path = await broken(change)
    const run = replay(path, { agent: () => 1 })
    await expect(run).rejects.toThrow(sentence)
    await expect(run).rejects.toMatchObject({ code: 'BUNDLE_INVALID' })
    const { valid, exitCode, issues } = validateBundle(path)
    expect({ valid, exitCode }).toEqual({ valid: false, exitCode: 2 })
    expect(JSON.stringify(issues)).toMatch(/x-values/)
  })
})

describe('a sidecar of an earlier version', () => {
  it('with undefined and lost results is still read', async () => {
    const path = freshPath()
    const nothing = traceTool('nothing', async () => undefined)
    await record({ agent: 'desk', output: path }, () => nothing())
    const [, result] = eventsOf(path).filter(({ type }) => String(type).startsWith('tool'))
    expect(sidecar(path)).toContain(`{"event":"${result!.id}","member":"output","path":"","is":"undefined"}`)
    writeFileSync(
      join(path, 'x-origin.jsonl'),
      readFileSync(join(path, 'x-origin.jsonl'), 'utf8').replace('"keeps_values":true,', ''),
    )
    const seen: unknown[] = []
    await replay(path, { agent: async () => void seen.push(await nothing()) })
    expect(seen).toEqual([undefined])
    writeFileSync(join(path, 'x-values.jsonl'), sidecar(path).replaceAll('undefined', 'lost'))
    const [found] = (await replay(path, { agent: () => nothing() })).divergences
    expect(found).toMatchObject({ kind: 'no-result', facts: { isLost: true } })
    expect(readBundle(path).values.length).toBeGreaterThan(0)
  })
})
