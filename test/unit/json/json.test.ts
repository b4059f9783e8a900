import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepforkError } from '../../../src/errors.ts'
import { sameJson } from '../../../src/json/compare.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { pointer } from '../../../src/json/pointer.ts'
import { rawMember } from '../../../src/json/read-json.ts'
import type { Json } from '../../../src/json/value.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { arbitraryJson } from './arbitrary-json.ts'
import { vectorLines } from './vectors.ts'

describe('parsing and writing JSON', () => {
  it('comes back the same, member order and bigints included', () => {
    fc.assert(
      fc.property(arbitraryJson, value => {
        const text = writeJson(value)
        expect(sameJson(parseJson(text), value)).toBe(true)
        expect(writeJson(parseJson(text))).toBe(text)
      }),
    )
  })

  it('does not round integers beyond 2^53', () => {
    expect(parseJson('[9007199254740993,-12345678901234567890,9007199254740991]')).toEqual([
      9007199254740993n,
      -12345678901234567890n,
      9007199254740991,
    ])
    expect(parseJson('1'.repeat(5000))).toBe(BigInt('1'.repeat(5000)))
  })

  it('keeps __proto__ and constructor as ordinary members', () => {
    for (const text of [
      '{"__proto__":{"a":1},"constructor":2}',
      '{"__proto__":{"a":1},"constructor":9007199254740993}',
    ]) {
      const value = parseJson(text) as Record<string, Json>
      expect(Object.keys(value)).toEqual(['__proto__', 'constructor'])
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
      expect(writeJson(value)).toBe(text)
    }
  })

  it('tells escaped one-character keys apart, which JSON.parse of Node 24 does not', () => {
    parseJson('{"\\\\":1}')
    expect(parseJson('{"\\b":1}')).toEqual({ '\b': 1 })
  })

  it('refuses what is not JSON, numbers that would become infinite, and deep nesting', () => {
    const texts = vectorLines('canonical-invalid.jsonl')
      .map(line => JSON.parse(line) as { json: string; stage: string })
      .filter(({ stage, json }) => stage !== 'encode' && json.length < 4000)
      .map(({ json }) => json)
    for (const text of [...texts, '['.repeat(100_000), '['.repeat(2000) + ']'.repeat(2000)]) {
      expect(() => parseJson(text), text.slice(0, 40)).toThrow(StepforkError)
    }
  })

  it('refuses to write numbers that JSON does not have', () => {
    expect(() => writeJson([Number.NaN])).toThrow('NaN is not a JSON number')
  })
})

describe('the raw text of a member', () => {
  it('is the spelling in the text, the last one of duplicates', () => {
    expect(rawMember('{"a":1.50,"input": {"x": 1e2} ,"z":"}"}', 'input')).toBe('{"x": 1e2}')
    expect(rawMember('{"a":1,"a":[2.0]}', 'a')).toBe('[2.0]')
    expect(rawMember('{"\\u0061":7}', 'a')).toBe('7')
    expect(rawMember('{"b":{"a":1}}', 'a')).toBeUndefined()
    expect(rawMember('{}', 'a')).toBeUndefined()
  })
})

describe('JSON Pointer', () => {
  it('escapes what would part a name, in this order', () => {
    expect(pointer([])).toBe('')
    expect(pointer(['a/b', 0, '~', '~1', ''])).toBe('/a~1b/0/~0/~01/')
  })

  it('is another one for other parts', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        expect(pointer(one) === pointer(other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })
})
