import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idSet } from '../../../src/trace/id-set.ts'

const hex = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 32, maxLength: 32 })
  .map(all => all.join(''))
const id = fc.oneof(
  hex.map(digits => `evt_${digits}`),
  fc.string(),
  fc.constantFrom(
    `evt_${'0'.repeat(32)}`,
    `evt_${'A'.repeat(32)}`,
    'evt_',
    `evt_${'0'.repeat(31)}g`,
    `run_${'0'.repeat(32)}`,
  ),
)

describe('a set of event ids', () => {
  it('holds what a set of strings holds', () => {
    fc.assert(
      fc.property(fc.array(id), fc.array(id), fc.nat(1e9), (added, asked, expected) => {
        const [ids, strings] = [idSet(expected), new Set<string>()]
        for (const one of [...added, ...added]) {
          expect(ids.add(one)).toBe(!strings.has(one))
          strings.add(one)
        }
        for (const one of [...added, ...asked]) expect(ids.has(one)).toBe(strings.has(one))
      }),
    )
  })

  it('stays exact and quick when somebody makes all ids fall into one place', () => {
    const ids = idSet()
    // Equal but for two words that cancel each other out in the place they are given.
    const crafted = Array.from({ length: 20_000 }, (_, at) => {
      const word = at.toString(16).padStart(8, '0')
      return `evt_${word}${word}${'0'.repeat(15)}1`
    })
    for (const one of crafted) expect(ids.add(one)).toBe(true)
    for (const one of crafted) expect(ids.has(one)).toBe(true)
    for (const one of crafted) expect(ids.add(one)).toBe(false)
  })
})
