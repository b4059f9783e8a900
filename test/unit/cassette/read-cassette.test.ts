import { describe, expect, it } from 'vitest'
import { canonicalCassette, contentHash } from '../../../src/cassette/content-hash.ts'
import { parseCassette, toCassette } from '../../../src/cassette/read-cassette.ts'
import { parseTrace, toTrace } from '../../../src/cassette/read-trace.ts'
import type { ShapeProblem } from '../../../src/cassette/shape-error.ts'

const ENTRY = { tool: 'x', match: { any: true }, response: 1 } as const

describe('a cassette that is none', () => {
  it('is refused with every problem at once, each with its place from the top', () => {
    const text = JSON.stringify({
      task: 1,
      extra: 1,
      world: [
        ENTRY,
        { tool: '', match: { kind: 'zz' } },
        { tool: 5, match: { exact: [1] }, response: 1, order_hint: true },
      ],
    })
    expect(problemsOf(() => parseCassette(text))).toEqual({
      '/extra': 'is unknown here; known are task, world',
      '/task': 'must be a text',
      '/world/1/tool': 'must not be empty',
      '/world/1/match/kind': 'must be exact, subset or any',
      '/world/1/response': 'is missing',
      '/world/2/tool': 'must be a text',
      '/world/2/match/exact': 'must be an object',
      '/world/2/order_hint': 'must be a whole number',
    })
  })

  it.each([
    [
      'half of a surrogate pair',
      '{"task":"t","world":[{"tool":"x","match":{"any":1},"response":["\\ud800"]}]}',
      '/world/0/response/0',
    ],
    [
      'a hint that is a text',
      JSON.stringify({ task: 't', world: [{ ...ENTRY, order_hint: '3' }] }),
      '/world/0/order_hint',
    ],
    [
      'an own member named self',
      JSON.stringify({ task: 't', world: [{ ...ENTRY, self: 1 }] }),
      '/world/0/self',
    ],
  ])('is refused for %s', (_, text, path) => {
    expect(Object.keys(problemsOf(() => parseCassette(text)))).toEqual([path])
  })

  it('names the file and the code', () => {
    expect(() => parseCassette('[]', { file: 'a.json' })).toThrow(
      expect.objectContaining({ code: 'CASSETTE_INVALID', message: 'a.json: must be an object' }),
    )
  })

  it.each([
    ['NaN', { response: Number.NaN }],
    ['a function', { response: () => 1 }],
    ['a Map', { response: new Map([[1, 2]]) }],
  ])('is refused as a literal with %s', (_, change) => {
    expect(
      Object.keys(problemsOf(() => toCassette({ task: 't', world: [{ ...ENTRY, ...change }] }))),
    ).toEqual(['/world/0/response'])
  })
})

describe('what is dropped beside the short spelling of a matcher', () => {
  const text = '{"task":"t","world":[{"tool":"x","match":{"exact":{"a":1},"args":{"b":2}},"response":1}]}'

  it('is told to whoever asks', () => {
    const ignored: ShapeProblem[] = []
    parseCassette(text, { onIgnored: problem => ignored.push(problem) })
    expect(ignored).toEqual([{ path: '/world/0/match/args', message: 'is ignored beside "exact"' }])
  })

  it('is refused under strictShapes', () => {
    expect(Object.keys(problemsOf(() => parseCassette(text, { strictShapes: true })))).toEqual([
      '/world/0/match/args',
    ])
  })
})

describe('a cassette', () => {
  it('cannot be changed, and is not changed through what it was made from', () => {
    const response = { list: [1] }
    const cassette = toCassette({ task: 't', world: [{ ...ENTRY, response }] })
    const hash = contentHash(cassette)
    response.list.push(2)
    expect(() => (cassette.world as unknown[]).push(1)).toThrow(TypeError)
    expect(() => ((cassette.world[0]!.response as { list: number[] }).list[0] = 9)).toThrow(TypeError)
    expect(() => ((cassette.world[0]!.response as { list: unknown }).list = null)).toThrow(TypeError)
    expect(() => ((cassette.world[0] as { tool: string }).tool = 'y')).toThrow(TypeError)
    expect(contentHash(cassette)).toBe(hash)
    expect(toCassette(cassette)).toBe(cassette)
  })

  it('keeps 1.0 apart from 1 wherever it stands', () => {
    const text =
      '{"task":"t","world":[{"match":{"args":{"a":[1.0,1]},"kind":"exact"},"order_hint":3,"response":2.0,"tool":"x"}]}'
    expect(canonicalCassette(parseCassette(text))).toBe(text)
  })

  it('may be nested 900 deep', () => {
    const deep = `${'['.repeat(900)}${']'.repeat(900)}`
    const cassette = parseCassette(`{"task":"t","world":[{"tool":"x","match":{"any":1},"response":${deep}}]}`)
    expect(contentHash(cassette)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('knows of an error that was recorded', () => {
    const cassette = toCassette({ task: 't', world: [{ ...ENTRY, error: 'boom' }] })
    expect(cassette.world[0]!.error).toEqual({ name: 'Error', message: 'boom' })
    expect(parseCassette(canonicalCassette(cassette))).toEqual(cassette)
  })
})

describe('a trace that is none', () => {
  const header = '{"type":"trace","run_id":"r","agent_version":"a","task":"t","outcome":"ok"}'

  it('is refused with the line of every problem', () => {
    const text = [
      header,
      '',
      '{"kind":"state_diff","idx":0,"ts":"x","run_id":"q"}',
      '[',
      '{"kind":"nope"}',
    ].join('\n')
    try {
      parseTrace(text, 'run.jsonl')
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ code: 'TRACE_INVALID' })
      expect((error as { problems: ShapeProblem[] }).problems).toMatchObject([
        { line: 4, path: '' },
        { line: 3, path: '/ts' },
        { line: 5, path: '/kind' },
      ])
    }
  })

  it('is refused as a literal, too', () => {
    const step = { kind: 'final_answer', idx: 0, ts: '2026-01-01', run_id: 'r', answer: 'x' } as const
    const input = { run_id: 'r', agent_version: 'a', task: 't', outcome: 'ok', steps: [step, step] } as const
    expect(problemsOf(() => toTrace(input))).toEqual({ '/steps/1/idx': '0 is that of an earlier step' })
  })
})

function problemsOf(read: () => unknown): { readonly [path: string]: string } {
  try {
    read()
  } catch (error) {
    const { problems } = error as { problems: ShapeProblem[] }
    return Object.fromEntries(problems.map(({ path, message }) => [path, message]))
  }
  throw new Error('nothing was refused')
}
