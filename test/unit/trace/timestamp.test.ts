import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTimestamp, parseTimestamp } from '../../../src/trace/timestamp.ts'

const at = Date.UTC(2026, 9, 8, 10, 0, 0)

describe('a time stamp', () => {
  it('is read in every form that the Python implementation reads', () => {
    const forms: [string | number, number][] = [
      ['2026-10-08T10:00:00Z', at],
      ['2026-10-08T10:00:00.126432Z', at + 126.432],
      ['2026-10-08T10:00:00.5Z', at + 500],
      ['2026-10-08 10:00:00+05:45', at - (5 * 60 + 45) * 60_000],
      ['2026-10-08t10:00z', at],
      ['2026-10-08T10:00:00-0130', at + 90 * 60_000],
      ['2026-10-08T10:00:00,25Z', at + 250],
      [at / 1000, at],
      [at, at],
      [String(at / 1000), at],
      ['0001-01-01T00:00:00Z', Date.parse('0001-01-01T00:00:00Z')],
      ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ]
    for (const [form, time] of forms) expect(parseTimestamp(form), String(form)).toBeCloseTo(time, 3)
  })

  it('is refused without a zone, and for days and hours that do not exist', () => {
    const none = [
      '2026-10-08T10:00:00',
      '2026-10-08',
      '',
      'now',
      '2026-02-30T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-10-08T24:00:00Z',
      '2026-10-08T10:60:00Z',
      '2026-10-08T10:00:60Z',
      '0000-01-01T00:00:00Z',
      '2026-10-08T10:00:00+24:00',
      '2026-10-08T10:00:00.1234a6Z',
      '2026-10-08T10:00:00 Z',
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]
    for (const text of none) expect(parseTimestamp(text), String(text)).toBeNull()
  })

  it('comes back to the microsecond when it is written', () => {
    expect(formatTimestamp(at + 126.432)).toBe('2026-10-08T10:00:00.126432Z')
    const offBy = (micros: number): number => {
      const text = formatTimestamp(micros / 1000)
      expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
      return Math.abs(parseTimestamp(text)! - micros / 1000)
    }
    fc.assert(fc.property(fc.maxSafeInteger(), micros => offBy(micros) < 0.0015))
    // From the year 1 to 9891, where a double no longer holds each microsecond.
    const farAway = fc.integer({ min: -62_000_000_000_000_000, max: 250_000_000_000_000_000 })
    fc.assert(fc.property(farAway, micros => offBy(micros) < 0.1))
  })
})
