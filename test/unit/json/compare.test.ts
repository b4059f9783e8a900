import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences, sameJson } from '../../../src/json/compare.ts'
import type { Json } from '../../../src/json/value.ts'
import { arbitraryJson } from './arbitrary-json.ts'

const shown = (recorded: Json, live: Json): string[] =>
  differences(recorded, live).map(({ path, change }) => `${change} ${path}`)

describe('comparing a live value with a recorded one', () => {
  it('finds no difference exactly when the two are the same', () => {
    fc.assert(
      fc.property(arbitraryJson, arbitraryJson, (recorded, live) => {
        expect(differences(recorded, live).length === 0).toBe(sameJson(recorded, live))
        expect(sameJson(recorded, structuredClone(recorded))).toBe(true)
      }),
    )
  })

  it('finds one changed leaf wherever it stands', () => {
    fc.assert(
      fc.property(arbitraryJson, value => {
        const other: Json = value === 'other' ? 'another' : 'other'
        const [left, right] = [{ a: [1, { b: value }] }, { a: [1, { b: other }] }]
        expect(shown(left, right)).toEqual(['changed /a/1/b'])
        expect(sameJson(left, right)).toBe(false)
      }),
    )
  })

  it('does not mind the order of members, undefined members, or the sign of zero', () => {
    expect(sameJson({ a: 1, b: [0] }, { b: [-0], a: 1, c: undefined })).toBe(true)
    expect(sameJson({ a: null }, {})).toBe(false)
    expect(sameJson({}, { a: null })).toBe(false)
    expect(sameJson({ a: 1 }, { a: undefined, b: 1 })).toBe(false)
  })

  it('compares an integer beyond 2^53 with a number as a double, with a bigint exactly', () => {
    expect(sameJson(9007199254740993n, 9007199254740992)).toBe(true)
    expect(sameJson(9007199254740993n, 9007199254740993n)).toBe(true)
    expect(sameJson(9007199254740993n, 9007199254740992n)).toBe(false)
    expect(sameJson(5, 5n)).toBe(true)
    expect(sameJson(1e17, 10n ** 17n + 1n)).toBe(false)
    expect(sameJson(1.5, 1n)).toBe(false)
  })

  it('takes only plain data for the same', () => {
    class Point {
      x = 1
    }
    for (const live of [
      new Point(),
      new Map([['x', 1]]),
      Object.assign([], { x: 1 }),
      new Date(0),
      () => 1,
    ]) {
      expect(sameJson({ x: 1 }, live)).toBe(false)
    }
    expect(sameJson({ x: 1 }, Object.assign(Object.create(null), { x: 1 }))).toBe(true)
    expect(sameJson([1], new (class extends Array {})(1).fill(1))).toBe(false)
    expect(sameJson({ 0: 'a' }, ['a'])).toBe(false)
  })

  it('does not take inherited members for members', () => {
    const hostile = JSON.parse('{"__proto__":{}}') as Json
    expect(sameJson(hostile, { a: 1 })).toBe(false)
    expect(sameJson(hostile, JSON.parse('{"__proto__":{}}'))).toBe(true)
    expect(shown(hostile, {})).toEqual(['removed /__proto__'])
  })

  it('lists leaves in document order, what is new last', () => {
    const recorded = { z: 1, list: [1, { k: 'a' }], gone: { deep: 1 } }
    const live = { new: [1], list: [1, { k: 'b' }], z: 2 }
    expect(differences(recorded, live)).toEqual([
      { path: '/z', change: 'changed', recorded: 1, actual: 2 },
      { path: '/list/1/k', change: 'changed', recorded: 'a', actual: 'b' },
      { path: '/gone', change: 'removed', recorded: { deep: 1 } },
      { path: '/new', change: 'added', actual: [1] },
    ])
  })

  it('tells an insertion or a removal in a list from a change of all that follows', () => {
    expect(shown([1, 2, 3, 4], [1, 9, 2, 3, 4])).toEqual(['added /1'])
    expect(shown([1, 2, 3, 4], [2, 3, 4])).toEqual(['removed /0'])
    expect(shown([1, 2, 3, 4], [2, 3, 4, 5])).toEqual(['removed /0', 'added /3'])
    expect(shown([1, 2], [3, 4])).toEqual(['changed /0', 'changed /1'])
    expect(shown([{ a: 1, b: 1 }], [{ a: 1, b: 2 }, 5])).toEqual(['changed /0/b', 'added /1'])
    expect(shown([1, 2, { a: 1 }, 3, 4], [0, 1, 2, { a: 2 }, 3, 4])).toEqual(['added /0', 'changed /2/a'])
  })

  it('compares lists of 100,000 items without a product of their lengths', () => {
    const [recorded, live] = [
      Array.from({ length: 100_000 }, (_, at) => at),
      Array.from({ length: 100_000 }, (_, at) => -at - 1),
    ]
    expect(differences(recorded, live)).toHaveLength(100_000)
  })

  it('names a change of kind at the value itself', () => {
    expect(differences({ a: [1] }, { a: { 0: 1 } })).toEqual([
      { path: '/a', change: 'changed', recorded: [1], actual: { 0: 1 } },
    ])
    expect(differences(1, '1')).toEqual([{ path: '', change: 'changed', recorded: 1, actual: '1' }])
    expect(shown([], {})).toEqual(['changed '])
  })

  it('compares texts that are JSON as JSON only when asked to', () => {
    const [recorded, live] = [
      { t: '{"a":1,"b":[2,"{\\"x\\":1.0}"]}' },
      { t: '{ "b": [2,"{ \\"x\\":1}"], "a": 1.0 }' },
    ]
    expect(differences(recorded, live)).toHaveLength(1)
    expect(differences(recorded, live, { jsonTexts: true })).toEqual([])
    expect(differences({ t: '1' }, { t: '1.0' }, { jsonTexts: true })).toHaveLength(1)
    expect(differences({ t: '{"a":1}' }, { t: '{"a":2}' }, { jsonTexts: true })).toHaveLength(1)
    expect(differences({ t: '{"a":1' }, { t: '{"a":1 ' }, { jsonTexts: true })).toHaveLength(1)
  })
})
