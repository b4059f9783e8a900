import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differences } from '../../../src/json/compare.ts'
import { isJsonObject, type Json } from '../../../src/json/value.ts'
import { liveKey, recordedKeys } from '../../../src/match/match-keys.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'

const exact = { jsonTexts: false }
const asJson = { jsonTexts: true }

/** The same value with the members of every object turned round. */
function turnedRound(value: Json): Json {
  if (Array.isArray(value)) return value.map(turnedRound)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, turnedRound(member)] as const)
  return Object.fromEntries(members.reverse())
}

const found = (recorded: Json, live: Json, rules = exact): boolean =>
  recordedKeys(recorded, rules).includes(liveKey(live, rules))

describe('a recorded input is found again', () => {
  it('by an equal one, whatever the order of its members', () => {
    fc.assert(fc.property(arbitraryJson, value => found(value, turnedRound(value))))
    fc.assert(fc.property(arbitraryJson, value => found(value, turnedRound(value), asJson)))
  })

  it('by no other: two inputs have a key in common exactly when there is no difference', () => {
    fc.assert(
      fc.property(arbitraryJson, arbitraryJson, (one, other) => {
        expect(found(one, other)).toBe(differences(one, other).length === 0)
      }),
    )
  })

  it('by no other that differs in a single place', () => {
    const input = { a: [1, { b: 'x', c: null }], d: true }
    const others: Json[] = [
      { a: [1, { b: 'x', c: false }], d: true },
      { a: [1, { b: 'x' }], d: true },
      { a: [{ b: 'x', c: null }, 1], d: true },
      { a: ['1', { b: 'x', c: null }], d: true },
      { a: [1, { b: 'x', c: null }], d: true, e: null },
    ]
    for (const other of others) expect(found(input, other)).toBe(false)
  })
})

describe('numbers', () => {
  it('are compared by value: 1.0 is 1, and -0 is 0', () => {
    expect(found(JSON.parse('1.0') as number, 1)).toBe(true)
    expect(found(-0, 0)).toBe(true)
  })

  it('a small integer is found as a bigint, too', () => {
    expect(found({ id: 7 }, { id: 7n })).toBe(true)
    expect(found({ id: 7 }, { id: 8n })).toBe(false)
  })

  it('an integer beyond 2^53 is found as the very bigint and as the nearest number', () => {
    const big = { id: 9007199254740993n }
    expect(found(big, { id: 9007199254740993n })).toBe(true)
    expect(found(big, { id: 9007199254740992 })).toBe(true)
    expect(found(big, { id: 9007199254740992n })).toBe(false)
    expect(found(big, { id: 9007199254740994 })).toBe(false)
  })

  it('an integer beyond 2^53 is not the text of its digits', () => {
    expect(found({ id: 9007199254740993n }, { id: '9007199254740993' })).toBe(false)
  })
})

describe('texts that are JSON', () => {
  it('are compared as JSON only where members lost their order', () => {
    const [recorded, live] = [{ body: '{"a":1,"b":[2]}' }, { body: '{ "b": [2], "a": 1 }' }]
    expect(found(recorded, live, asJson)).toBe(true)
    expect(found(recorded, live, exact)).toBe(false)
  })

  it('differ from the value that they hold, and from other texts', () => {
    expect(found({ body: '{"a":1}' }, { body: { a: 1 } }, asJson)).toBe(false)
    expect(found({ body: '{"a":1}' }, { body: '{"a":2}' }, asJson)).toBe(false)
    expect(found({ body: '{"a":1' }, { body: '{"a": 1' }, asJson)).toBe(false)
    expect(found({ body: '1.0' }, { body: '1' }, asJson)).toBe(false)
  })

  it('are seen through when they stand in one another', () => {
    const wrapped = (text: string): Json => JSON.stringify({ inner: text })
    expect(found(wrapped('{"a":1,"b":2}'), wrapped('{"b":2,"a":1}'), asJson)).toBe(true)
  })
})
