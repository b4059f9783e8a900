import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepforkError } from '../../../src/errors.ts'
import { canonicalText } from '../../../src/json/canonical-text.ts'
import { canonicalValue } from '../../../src/json/canonical-value.ts'
import { digest } from '../../../src/json/digest.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { arbitraryJson } from './arbitrary-json.ts'
import { vectorLines } from './vectors.ts'

interface Vector {
  readonly json: string
  readonly canonical: string
  readonly sha256: string
}

const vectors = vectorLines('canonical-vectors.jsonl').map(line => JSON.parse(line) as Vector)
const invalid = vectorLines('canonical-invalid.jsonl').map(line => JSON.parse(line) as { json: string })

describe('canonical text of a JSON text', () => {
  it('is what the Python implementation hashes, for every vector', () => {
    expect(vectors.length).toBeGreaterThan(1000)
    const wrong = vectors.filter(vector => canonicalText(vector.json) !== vector.canonical)
    expect(wrong).toEqual([])
    expect(vectors.filter(vector => digest(vector.canonical) !== vector.sha256)).toEqual([])
  })

  it('refuses every text that has none, with a code and a sentence', () => {
    // The last line is an integer of 4,301 digits: a limit of one Python release, and JSON all the same.
    const [tooLong, ...refused] = invalid.toReversed()
    expect(canonicalText(tooLong!.json)).toBe(tooLong!.json)
    expect(refused.length).toBeGreaterThan(30)
    for (const { json } of refused) expect(() => canonicalText(json), json).toThrow(StepforkError)
  })

  it('keeps the last of duplicate keys', () => {
    expect(canonicalText('{"a":1,"b":2,"a":3}')).toBe('{"a":3,"b":2}')
  })

  it('names the offset of what is wrong', () => {
    expect(() => canonicalText('{"a" 1}')).toThrow('expected ":" after the name, but found "1}" at offset 5')
    expect(() => canonicalText('[1,2')).toThrow('expected "," or "]", but it ends at offset 4')
    expect(() => canonicalText('{"x":1e400}')).toThrow('1e400 at offset 5 is too large')
  })

  it('takes 1,000 levels and refuses 100,000 with a sentence instead of a stack overflow', () => {
    expect(canonicalText('['.repeat(1000) + ']'.repeat(1000))).toHaveLength(2000)
    for (const open of ['[', '{"a":']) {
      expect(() => canonicalText(open.repeat(100_000))).toThrow('nested deeper than 1000 levels')
    }
  })

  it('does not change when made again from itself', () => {
    fc.assert(
      fc.property(arbitraryJson, value => {
        const canonical = canonicalText(writeJson(value))
        expect(canonicalText(canonical)).toBe(canonical)
      }),
    )
  })
})

describe('canonical text of a JavaScript value', () => {
  it('is that of its JSON text', () => {
    fc.assert(
      fc.property(arbitraryJson, value => {
        expect(canonicalValue(value)).toBe(canonicalText(writeJson(value)))
      }),
    )
  })

  it('agrees with Python wherever JavaScript keeps the value', () => {
    const lost = /\d\.0+\b|\d[eE]|\d{16}|-0\b/
    const kept = vectors.filter(vector => !lost.test(vector.json))
    expect(kept.length).toBeGreaterThan(400)
    expect(kept.filter(vector => canonicalValue(parseJson(vector.json)) !== vector.canonical)).toEqual([])
  })

  it('sees what JSON.stringify sees', () => {
    const when = new Date(0)
    const seen = {
      d: when,
      u: undefined,
      f: () => 1,
      l: [undefined, () => 1],
      n: -0,
      b: Object(2),
      m: new Map(),
    }
    expect(canonicalValue(seen)).toBe('{"b":2,"d":"1970-01-01T00:00:00.000Z","l":[null,null],"m":{},"n":0}')
    expect(canonicalValue(undefined)).toBe('null')
    expect(canonicalValue({ toJSON: (key: string) => `at ${key}` })).toBe('"at "')
  })

  it('tells integers from floats as JavaScript prints them', () => {
    expect(canonicalValue([1, 1.5, 1e21, 1e16, 10n ** 21n, 1e-5])).toBe(
      '[1,1.5,1e+21,10000000000000000,1000000000000000000000,1e-05]',
    )
  })

  it('refuses NaN, halves of surrogate pairs and values that hold themselves', () => {
    const loop: unknown[] = []
    loop.push(loop)
    for (const bad of [Number.NaN, [Number.POSITIVE_INFINITY], '\ud800', { '\udc00': 1 }, loop]) {
      expect(() => canonicalValue(bad)).toThrow(StepforkError)
    }
  })
})
