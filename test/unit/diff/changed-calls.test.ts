import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ComparedCall, changedCalls } from '../../../src/diff/changed-calls.ts'

const call = fc.record({
  identity: fc.constantFrom('tool a', 'tool b', 'llm c'),
  input: fc.constantFrom('1', '2', '3'),
  result: fc.constantFrom('x', 'y'),
})
const calls = fc.array(
  call.map((one): ComparedCall => ({ ...one, label: one.identity })),
  { maxLength: 12 },
)

describe('two recordings of one agent', () => {
  it('that are equal have no change', () => {
    fc.assert(
      fc.property(calls, list => {
        expect(changedCalls(list, list)).toEqual({ same: list.length, changes: [] })
      }),
    )
  })

  it('name every call of both once: as before, changed, added or removed', () => {
    fc.assert(
      fc.property(calls, calls, (before, now) => {
        const { same, changes } = changedCalls(before, now)
        const count = (...kinds: string[]) => changes.filter(({ kind }) => kinds.includes(kind)).length
        expect(same + count('other-input', 'other-output', 'added')).toBe(now.length)
        expect(same + count('other-input', 'other-output', 'removed')).toBe(before.length)
      }),
    )
  })

  it('in another order are equal', () => {
    fc.assert(
      fc.property(calls, list => {
        const ordered = list.map(one => ({ ...one, result: one.input }))
        expect(changedCalls(ordered, ordered.toReversed()).changes).toEqual([])
      }),
    )
  })

  it('say which call was asked something else, answered something else, is new, is gone', () => {
    const of = (identity: string, input: string, result = 'x'): ComparedCall => ({
      identity,
      label: identity,
      input,
      result,
    })
    const before = [of('a', '1'), of('b', '1'), of('c', '1'), of('d', '1')]
    const now = [of('a', '2'), of('b', '1', 'y'), of('e', '1'), of('d', '1')]
    expect(changedCalls(before, now)).toEqual({
      same: 1,
      changes: [
        { kind: 'other-input', label: 'a', before: 1, now: 1 },
        { kind: 'other-output', label: 'b', before: 2, now: 2 },
        { kind: 'added', label: 'e', before: null, now: 3 },
        { kind: 'removed', label: 'c', before: 3, now: null },
      ],
    })
  })
})
