import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/json/value.ts'
import { createEntryIndex, type MatchedEntry } from '../../../src/match/entry-index.ts'
import { type Matcher, type MatcherKind, matches } from '../../../src/match/matcher.ts'
import { matcherDifferences } from '../../../src/match/matcher-differences.ts'

/** Few names and values, so that calls often match, also after others have used entries up. */
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json[]>(0, 1, true, null, '', 'a'),
    tie('object'),
    fc.array(fc.constantFrom<Json[]>(0, 'a'), { maxLength: 2 }),
  ),
  object: fc.dictionary(fc.constantFrom('q', 'r', '__proto__'), tie('value') as fc.Arbitrary<Json>, {
    maxKeys: 2,
  }),
})).value
const args = fc.dictionary(fc.constantFrom('q', 'r', '__proto__'), value, {
  maxKeys: 3,
}) as fc.Arbitrary<JsonObject>
const kind = fc.constantFrom<MatcherKind[]>('exact', 'subset', 'any')
const match: fc.Arbitrary<Matcher> = fc.record({ kind, args })
const entry: fc.Arbitrary<MatchedEntry> = fc.record({ tool: fc.constantFrom('x', 'y'), match })
const call = fc.record({ tool: fc.constantFrom('x', 'y'), args })

describe('the index of entries', () => {
  it('finds what a look at every entry would find, in any order of preference', () => {
    const world = fc.array(entry, { maxLength: 8 }).chain(entries =>
      fc.record({
        entries: fc.constant(entries),
        order: fc.shuffledSubarray([...entries.keys()], { minLength: entries.length }),
        calls: fc.array(call, { maxLength: 10 }),
      }),
    )
    fc.assert(
      fc.property(world, ({ entries, order, calls }) => {
        const index = createEntryIndex(entries, order)
        const used = new Set<number>()
        for (const { tool, args: asked } of calls) {
          const expected = scan(entries, order, used, tool, asked)
          expect(index.find(tool, asked)).toBe(expected)
          if (expected !== null) {
            index.use(expected)
            used.add(expected)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('costs the same with 100 entries as with 100,000, whatever the matcher', () => {
    for (const kind of ['exact', 'subset', 'any'] as const) {
      const [small, large] = [100, 100_000].map(count => lookUpsOf(kind, count))
      expect(large!, `${kind}: ${small} and ${large} µs a call`).toBeLessThan(small! * 20 + 20)
    }
  })
})

/** By the definition: exact before subset before any, then by preference. */
function scan(
  entries: readonly MatchedEntry[],
  order: readonly number[],
  used: ReadonlySet<number>,
  tool: string,
  asked: JsonObject,
): number | null {
  for (const kind of ['exact', 'subset', 'any']) {
    const found = order.find(
      at =>
        !used.has(at) &&
        entries[at]!.tool === tool &&
        entries[at]!.match.kind === kind &&
        matches(entries[at]!.match, asked),
    )
    if (found !== undefined) return found
  }
  return null
}

/** Median of the last calls, in µs: the worst place for whoever scans. */
function lookUpsOf(kind: MatcherKind, count: number): number {
  const entries = Array.from({ length: count }, (_, id) => ({
    tool: 'x',
    match: { kind, args: { id, q: 'a' } },
  }))
  const index = createEntryIndex(entries, [...entries.keys()])
  const times = entries.map((_, id) => {
    const asked = kind === 'exact' ? { id, q: 'a' } : { id, q: 'a', page: 1 }
    const start = performance.now()
    index.use(index.find('x', asked)!)
    return (performance.now() - start) * 1000
  })
  return times.slice(-100).sort((a, b) => a - b)[50]!
}

describe('a matcher', () => {
  it('differs nowhere exactly when it matches', () => {
    fc.assert(
      fc.property(match, args, (one, asked) => {
        expect(matcherDifferences(one, asked).length === 0).toBe(matches(one, asked))
      }),
      { numRuns: 1000 },
    )
  })

  it('names only what it wants', () => {
    const wanted = { kind: 'subset', args: { q: 'tide', at: { city: 'Oslo' } } } as const
    expect(matcherDifferences(wanted, { q: 'tides', at: { city: 'Oslo', zone: 1 }, page: 2 })).toEqual([
      { path: '/q', change: 'changed', recorded: 'tide', actual: 'tides' },
    ])
  })
})
