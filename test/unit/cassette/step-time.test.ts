import { describe, expect, it } from 'vitest'
import { secondsText } from '../../../src/cassette/agent-end.ts'
import { stepTime } from '../../../src/cassette/step-time.ts'

describe('the time of a step', () => {
  it.each([
    ['2026-01-31T12:00:00.1Z', '2026-01-31T12:00:00.100000Z'],
    ['2026-01-31T12:00:00,9999999+05:30', '2026-01-31T12:00:00.999999+05:30'],
    ['2026-01-31 12:00+0200', '2026-01-31T12:00:00+02:00'],
    ['2026-01-31', '2026-01-31T00:00:00'],
    ['1767225600000', '2026-01-01T00:00:00Z'],
    [1767225600.25, '2026-01-01T00:00:00.250000Z'],
    [-1, '1969-12-31T23:59:59Z'],
  ])('%s is written %s', (read, written) => {
    expect(stepTime(read)).toBe(written)
    expect(stepTime(written)).toBe(written)
  })

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-04-31',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '0000-01-01',
    'now',
    '',
    Number.NaN,
    1e300,
  ])('%s is none', read => {
    expect(stepTime(read)).toBe(null)
  })
})

describe('seconds in six digits', () => {
  it.each([
    [0.1, '0.1'],
    [1, '1'],
    [1.5, '1.5'],
    [0.00001, '1e-05'],
    [123456.7, '123457'],
    [1234567, '1.23457e+06'],
    [0.1 + 0.2, '0.3'],
  ])('%s as C prints %%g', (seconds, text) => {
    expect(secondsText(seconds)).toBe(text)
  })
})
