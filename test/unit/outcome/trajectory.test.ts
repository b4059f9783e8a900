import { describe, expect, it } from 'vitest'
import { type ReachedCall, unmetExpectations } from '../../../src/outcome/trajectory.ts'
import { parseTrajectory } from '../../../src/outcome/trajectory-schema.ts'

const search = (query: string): ReachedCall => ({ kind: 'tool', label: 'search', input: { query } })
const book: ReachedCall = { kind: 'tool', label: 'book', input: { id: 'A' } }
const model: ReachedCall = { kind: 'llm', label: 'openai/gpt-4o-mini', input: {} }

const calls = [search('first'), search('second'), book]

describe('a trajectory that holds', () => {
  it('the whole example of the Python implementation', () => {
    const text = JSON.stringify({
      called: ['book'],
      not_called: ['charge'],
      counts: { search: 2 },
      arguments: [{ name: 'search', value: { query: 'second' }, occurrence: 2 }],
      order: [['search', 'book']],
      sequence: ['search', 'book'],
      strict_sequence: false,
      max_steps: 3,
    })
    expect(unmetExpectations(parseTrajectory(text, 't.json'), calls, 'compatible')).toEqual([])
  })

  it('an empty one', () => {
    expect(unmetExpectations(parseTrajectory('{}', 't.json'), [], 'compatible')).toEqual([])
  })

  it('an argument that differs only in a secret', () => {
    const login: ReachedCall = { kind: 'tool', label: 'login', input: { password: '[REDACTED]' } }
    expect(
      unmetExpectations(
        { arguments: [{ name: 'login', value: { password: 'other' } }] },
        [login],
        'compatible',
      ),
    ).toEqual([])
  })
})

describe('a trajectory that does not hold says what', () => {
  it.each([
    [{ called: ['charge'] }, 'charge was not called'],
    [{ not_called: ['book'] }, 'book was called'],
    [{ counts: { search: 1 } }, 'search was called 2 times, expected once'],
    [{ counts: { charge: 1 } }, 'charge was called 0 times, expected once'],
    [
      { arguments: [{ name: 'search', value: { query: 'x' } }] },
      'no call of search has the input {"query":"x"}',
    ],
    [
      { arguments: [{ name: 'search', value: { query: 'second' }, occurrence: 1 }] },
      'call 1 of search has not the input {"query":"second"}',
    ],
    [{ arguments: [{ name: 'book', value: {}, occurrence: 2 }] }, 'there is no call 2 of book'],
    [{ order: [['book', 'search']] as const }, 'no call of book comes before one of search'],
    [{ order: [['book', 'book']] as const }, 'no call of book comes before one of book'],
    [
      { sequence: ['book', 'search'] },
      'book, search do not occur in this order: the calls are search, search, book',
    ],
    [
      { sequence: ['search', 'book'], strict_sequence: true },
      'the calls are search, search, book, expected search, book',
    ],
  ])('%j', (trajectory, sentence) => {
    expect(unmetExpectations(trajectory, calls, 'compatible')).toEqual([sentence])
  })

  it('counts models as steps, and only as steps', () => {
    expect(unmetExpectations({ max_steps: 3 }, [...calls, model], 'compatible')).toEqual([
      'the run has 4 steps, expected 3 at most',
    ])
    expect(
      unmetExpectations(
        { sequence: ['search', 'search', 'book'], strict_sequence: true },
        [...calls, model],
        'compatible',
      ),
    ).toEqual([])
  })
})

describe('a malformed trajectory is refused with its file and member', () => {
  it.each([
    ['{"__import__":"os"}', 't.json is no trajectory: has the unknown key __import__'],
    ['{"counts":{"search":-1}}', 't.json is no trajectory: counts.search has a value that is not allowed'],
    ['{"counts":{"search":true}}', 't.json is no trajectory: counts.search must be of type'],
    ['{"order":[["search"]]}', 't.json is no trajectory: order.0'],
    ['{"arguments":[{"name":"a","value":1,"x":1}]}', 't.json is no trajectory: has the unknown key x'],
    [
      '{"arguments":[{"name":"a","value":1,"occurrence":0}]}',
      't.json is no trajectory: arguments.0.occurrence',
    ],
    [
      '{"arguments":[{"name":"a","value":1,"occurrence":null}]}',
      't.json is no trajectory: arguments.0.occurrence',
    ],
    ['{"strict_sequence":true}', 't.json is no trajectory: strict_sequence needs a sequence'],
    ['{"sequence":[]}', 't.json is no trajectory: sequence'],
    ['{"called":[""]}', 't.json is no trajectory: called.0'],
    ['[]', 't.json is no trajectory: it must be of type object'],
    ['null', 't.json is no trajectory: it must be of type object'],
    ['{', 't.json is not JSON'],
  ])('%s', (text, sentence) => {
    expect(() => parseTrajectory(text, 't.json')).toThrow(sentence)
  })
})
