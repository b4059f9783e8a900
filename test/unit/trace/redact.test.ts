import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameJson } from '../../../src/json/compare.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import type { Json } from '../../../src/json/value.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { redact } from '../../../src/trace/redact.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'
import { vectorLines } from '../json/vectors.ts'

interface Vector {
  readonly input: Json
  readonly output: Json
  readonly findings: Json
  readonly note: string
}

const vectors = vectorLines('redaction-vectors.jsonl').map(line => parseJson(line) as unknown as Vector)

describe('redaction', () => {
  it('hides and reports exactly what the Python implementation does, for every vector', () => {
    expect(vectors.length).toBeGreaterThan(300)
    for (const { input, output, findings, note } of vectors) {
      const redacted = redact(input)
      expect(sameJson(output, redacted.value), note).toBe(true)
      expect(redacted.findings, note).toEqual(findings)
    }
  })

  it('changes nothing and finds nothing the second time', () => {
    for (const { output } of vectors) expect(redact(output)).toEqual({ value: output, findings: [] })
    fc.assert(
      fc.property(withSecrets, value => {
        const once = redact(value).value
        expect(redact(once)).toEqual({ value: once, findings: [] })
      }),
    )
  })

  it('gives the very value back when there is nothing to hide', () => {
    const clean = { a: [1, 'plain', { monkey: null }], risk: 'risk-averse-user' }
    expect(redact(clean).value).toBe(clean)
  })

  it('keeps the order of members and does not touch the value given', () => {
    const given = { z: 1, password: 'x', a: { secret: 1, b: 'sk-abcdefgh' } }
    expect(writeJson(redact(given).value)).toBe(
      '{"z":1,"password":"[REDACTED]","a":{"secret":"[REDACTED]","b":"[REDACTED]"}}',
    )
    expect(given.a.b).toBe('sk-abcdefgh')
  })

  it('takes time in proportion to a hostile text, not to its square', () => {
    const hostile = [
      'sk-'.repeat(300_000),
      `sk-${'a'.repeat(1_000_000)}é`,
      `${'Bearer '.repeat(100_000)}${' '.repeat(1_000_000)}`,
      `${'ghp_'.repeat(300_000)}é`,
      `sk-sk-${'-'.repeat(1_000_000)} `,
    ]
    const start = performance.now()
    for (const text of hostile) redact(text)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})

const secret = fc.constantFrom<Json>(
  'sk-abcdefgh',
  'Bearer abcdefgh1 and sk-12345678',
  'ghp_abcdefgh.',
  '[REDACTED]',
  'x',
)

const withSecrets: fc.Arbitrary<Json> = fc
  .tuple(arbitraryJson, secret, fc.constantFrom('password', 'API-Key', 'plain', 'token'))
  .map(([value, hidden, name]) => [value, { [name]: hidden, beside: hidden }])
