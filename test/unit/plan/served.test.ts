/** Marks become bytes when a replay is planned; a payload that no longer fits gives none. */
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { servedOf } from '../../../src/plan/served.ts'
import type { Bundle } from '../../../src/trace/bundle.ts'
import type { MarkLine } from '../../../src/trace/determinism.ts'

const label = { interval: 0, site: 'run' }
const mark: MarkLine = {
  ...{ mark: 'hex', drew: 'randomUUID', ...label, nth: 1, from: 0 },
  ...{ call: 1, path: '/a~1b/0', start: 3, length: 8 },
}

function served(payload: unknown, line: Partial<MarkLine> = {}) {
  const bundle = {
    determinism: {
      header: { format: 'stepfork-determinism', version: 1 },
      lines: [
        { read: 'wall', ...label, values: [5] },
        { drew: 'Math.random', ...label, values: [0.5] },
        { ...mark, ...line },
      ],
    },
    origin: { log: [{ call: 1, event: 'e1' }] },
    events: [
      { id: 'e1', type: 'tool_call', line: 'input of e1' },
      { id: 'e2', type: 'run_end', line: 'output of e2' },
    ],
  }
  return servedOf(
    bundle as unknown as Bundle,
    (at, member) => {
      expect(String(at)).toBe(member === 'output' ? 'output of e2' : 'input of e1')
      return JSON.stringify(payload)
    },
    NOTHING_AT_ONCE,
  )
}

const NOTHING_AT_ONCE = { calls: [], deliveries: [] }

describe('what is to be given again', () => {
  it('has the bytes that a mark points to', () => {
    const plan = served({ 'a/b': ['id:00ff10aa!'] })
    expect(plan).toEqual({
      seed: null,
      read: [{ read: 'wall', ...label, values: [5] }],
      drew: [{ drew: 'Math.random', ...label, values: [0.5] }],
      bytes: [{ drew: 'randomUUID', ...label, nth: 1, known: [0, 0x00, 1, 0xff, 2, 0x10, 3, 0xaa] }],
    })
  })

  it('also in the output of the run, and in a number', () => {
    expect(served({ id: '00ff10aa' }, { call: null, path: '/id', start: 0 })!.bytes[0]!.known).toHaveLength(8)
    const number = { mark: 'uint32', path: '/n', start: 0, length: 10 } as const
    expect(served({ n: 4278190081 }, number)!.bytes[0]!.known).toEqual([0, 1, 1, 0, 2, 0, 3, 255])
  })

  for (const [what, payload, line] of [
    ['the text is gone', { 'a/b': [] }, {}],
    ['another kind of value stands there', { 'a/b': [{ id: 1 }] }, {}],
    ['the text is no hex any more', { 'a/b': ['id:zzzzzzzz!'] }, {}],
    ['a text that is not of the alphabet', { 'a/b': ['id:ilouILOU!'] }, { mark: 'ulid', nth: 20 }],
    ['the call is not in the recording', { 'a/b': ['id:00ff10aa!'] }, { call: 9 }],
    ['the draws would lie before the first', { 'a/b': ['id:0123ABCD!'] }, { mark: 'ulid', nth: 3 }],
    ['a name of every object', { a: 1 }, { path: '/constructor/name', start: 0 }],
  ] as const) {
    it(`nothing where ${what}`, () => {
      expect(
        served(payload, line as Partial<MarkLine>)!.bytes.filter(({ known }) => known.length > 0),
      ).toEqual([])
    })
  }

  it('behind the end of an answer what was read between its head and its end, as a replay hands out both as one', () => {
    const lines = [1, 2].map(interval => ({ read: 'wall', interval, site: 'run', values: [interval * 10] }))
    const bundle = { determinism: { header: {}, lines }, origin: null, events: [] } as unknown as Bundle
    const call = { exchange: { offset: 0, length: 1 }, parts: [0, 1] }
    const deliveries = [
      { part: 'head', after: 1 },
      { part: 'end', after: 1 },
    ]
    const log = { calls: [call], deliveries } as unknown as Plan
    expect(servedOf(bundle, () => '', log)!.read.map(({ interval }) => interval)).toEqual([2, 2])
    const between = {
      calls: [call],
      deliveries: [deliveries[0], { part: 'end', after: 2 }],
    } as unknown as Plan
    expect(servedOf(bundle, () => '', between)!.read.map(({ interval }) => interval)).toEqual([1, 2])
  })

  it('nothing at all without the sidecar', () => {
    expect(servedOf({ determinism: null } as Bundle, () => '', NOTHING_AT_ONCE)).toBeNull()
  })
})
