import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replaySequence, type Sequence } from './run-sequence.ts'

const RECORDED = ['a', 'b', 'search:c', 'd', 'e']

describe('one edit of a sequential agent gives one finding of the right kind', () => {
  it.each<[edit: string, live: Sequence, kinds: readonly string[]]>([
    ['unchanged', RECORDED, []],
    ['a changed input', ['a', 'x', 'search:c', 'd', 'e'], ['changed-input 2']],
    ['a changed first input', ['x', 'b', 'search:c', 'd', 'e'], ['changed-input 1']],
    ['a changed last input', ['a', 'b', 'search:c', 'd', 'x'], ['changed-input 5']],
    ['a call of another tool inserted', ['a', 'mail:x', 'b', 'search:c', 'd', 'e'], ['extra live 2']],
    ['a call of the same tool inserted', ['a', 'x', 'b', 'search:c', 'd', 'e'], ['extra live 2']],
    ['a call inserted first', ['x', 'a', 'b', 'search:c', 'd', 'e'], ['extra live 1']],
    ['a call inserted last', ['a', 'b', 'search:c', 'd', 'e', 'x'], ['extra live 6']],
    ['a call dropped', ['a', 'search:c', 'd', 'e'], ['missing 2']],
    ['the first call dropped', ['b', 'search:c', 'd', 'e'], ['missing 1']],
    ['the last call dropped', ['a', 'b', 'search:c', 'd'], ['missing 5']],
    ['two calls swapped', ['a', 'search:c', 'b', 'd', 'e'], ['reordered 2']],
    ['the first call moved to the end', ['b', 'search:c', 'd', 'e', 'a'], ['reordered 1']],
    ['the last call moved to the front', ['e', 'a', 'b', 'search:c', 'd'], ['reordered 5']],
    ['the last call repeated', [...RECORDED, 'e'], ['exhausted live 6']],
    ['a call repeated three times', [...RECORDED, 'e', 'e', 'e'], ['exhausted live 6']],
    ['a tool renamed', ['a', 'b', 'find:c', 'd', 'e'], ['changed-target 3']],
  ])('%s', (_edit, live, kinds) => {
    expect(replaySequence(RECORDED, live).kinds).toEqual(kinds)
  })

  it('all inputs changed: each call stands beside its own', () => {
    const live = ['v', 'w', 'search:x', 'y', 'z']
    const kinds = [1, 2, 3, 4, 5].map(number => `changed-input ${number}`)
    expect(replaySequence(RECORDED, live).kinds).toEqual(kinds)
  })

  it('equal refused calls in a row are one finding, told how often it was tried', () => {
    const [found] = replaySequence(RECORDED, [...RECORDED, 'mail:x', 'mail:x', 'mail:x']).findings
    expect(found).toMatchObject({ kind: 'extra', occurrences: 3 })
  })
})

describe('a sequential agent', () => {
  const call = fc.constantFrom('a', 'b', 'c', 'search:a', 'search:b')
  const sequences = fc.array(call, { maxLength: 7 })
  const edited = fc
    .tuple(
      sequences,
      fc.array(fc.record({ at: fc.nat(7), what: fc.nat(3), call: fc.oneof(call, fc.constant('x')) }), {
        maxLength: 3,
      }),
    )
    .map(([recorded, edits]) => [recorded, edits.reduce(applyEdit, recorded)] as const)

  it('is matched exactly when a strict cursor through the recording would match it', () => {
    fc.assert(
      fc.property(edited, ([recorded, live]) => {
        const isEqual = recorded.length === live.length && recorded.every((one, at) => one === live[at])
        expect(replaySequence(recorded, live).kinds.length === 0).toBe(isEqual)
      }),
      { numRuns: 2000 },
    )
  })

  it('shows its first mismatch at the very call where a strict cursor stops, and nothing before', () => {
    fc.assert(
      fc.property(edited, ([recorded, live]) => {
        const first = live.findIndex((one, at) => one !== recorded[at])
        if (first === -1) return
        expect(mismatches(recorded, live.slice(0, first))).toEqual([])
        expect(mismatches(recorded, live.slice(0, first + 1))).toEqual([first + 1])
      }),
      { numRuns: 1000 },
    )
  })
})

/** Live calls that took no recorded call as it stands and in its place. */
function mismatches(recorded: Sequence, live: Sequence): number[] {
  const { facts } = replaySequence(recorded, live)
  const numbers = facts.flatMap(fact => {
    if (fact.kind === 'given-up') return [fact.forLive]
    return fact.kind === 'made' && fact.verdict !== 'matched' ? [fact.live] : []
  })
  return [...new Set(numbers)]
}

function applyEdit(calls: Sequence, edit: { at: number; what: number; call: string }): Sequence {
  const at = Math.min(edit.at, calls.length)
  switch (edit.what) {
    case 0:
      return calls.toSpliced(at, 1)
    case 1:
      return calls.toSpliced(at, 0, edit.call)
    case 2:
      return at < calls.length ? calls.with(at, edit.call) : calls
  }
  return at + 1 < calls.length ? calls.with(at, calls[at + 1]!).with(at + 1, calls[at]!) : calls
}
