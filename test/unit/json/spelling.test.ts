import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../../src/json/canonical-text.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { keepSpelling, parseSpelled, spelledText } from '../../../src/json/spelling.ts'
import type { JsonObject } from '../../../src/json/value.ts'

const number = fc.constantFrom(
  '1',
  '1.0',
  '-0.0',
  '-0',
  '1e16',
  '1E+2',
  '10.00',
  '0.5',
  '12345678901234567890',
)
const text: fc.Arbitrary<string> = fc.letrec<{ text: string }>(tie => ({
  text: fc.oneof(
    { depthSize: 'small' },
    number,
    fc.string().map(value => JSON.stringify(value)),
    fc.array(tie('text'), { maxLength: 3 }).map(items => `[${items.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '1'), tie('text')), { maxLength: 3 })
      .map(members => `{${members.map(([key, value]) => `"${key}": ${value}`).join(', ')}}`),
  ),
})).text

describe('a text read with its spelling', () => {
  it('has the value that it has without, and the canonical text of what was written', () => {
    fc.assert(
      fc.property(text, inside => {
        const whole = `{"member": ${inside}}`
        expect(parseSpelled(whole)).toEqual(parseJson(whole))
        expect(spelledText(parseSpelled(whole))).toBe(canonicalText(whole))
      }),
      { numRuns: 1000 },
    )
  })

  it('is spelled the same after a copy, but for members that were changed', () => {
    const read = parseSpelled('{"a":1.0,"b":2.0}') as JsonObject
    const copy = { ...read, b: 3 }
    keepSpelling(read, copy, ['b'])
    expect(spelledText(copy)).toBe('{"a":1.0,"b":3}')
  })
})
