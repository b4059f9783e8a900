import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Params, toolInput } from '../../../src/boundary/tool-input.ts'

const inputOf = (args: readonly unknown[], params?: Params): unknown => toolInput(args, params).input
const { signal } = new AbortController()

describe('the recorded input of a tool', () => {
  it('is its single plain-object argument, the very object', () => {
    const input = { order_id: 'A-17' }
    expect(inputOf([input])).toBe(input)
  })

  it('is {} without arguments', () => {
    expect(inputOf([])).toEqual({})
  })

  it.each([[['text']], [[1, 2]], [[{ a: 1 }, { b: 2 }]], [[[1, 2]]], [[null]], [[new Date(0)]]])(
    'is {"args": […]} for anything else: %j',
    args => {
      expect(inputOf(args)).toEqual({ args })
    },
  )

  it('is an object of the named arguments', () => {
    expect(inputOf([2, 3], ['a', 'b'])).toEqual({ a: 2, b: 3 })
  })

  it('has defaults filled in, where an argument is left out or undefined', () => {
    const params = { a: undefined, b: 2, region: 'eu' }
    expect(inputOf([1], params)).toEqual({ a: 1, b: 2, region: 'eu' })
    expect(inputOf([1, undefined, 'us'], params)).toEqual({ a: 1, b: 2, region: 'us' })
    expect(inputOf([1, null], params)).toEqual({ a: 1, b: null, region: 'eu' })
  })

  it('keeps a single object argument as one named argument', () => {
    expect(inputOf([{ q: 1 }], ['query'])).toEqual({ query: { q: 1 } })
  })

  it('is the same whether a last argument is left out or undefined', () => {
    const query = { q: 1 }
    expect(inputOf([query, undefined])).toBe(query)
    expect(inputOf(['a', undefined])).toEqual({ args: ['a'] })
    expect(inputOf([undefined])).toEqual({})
    expect(inputOf([undefined, 'a'])).toEqual({ args: [undefined, 'a'] })
  })

  it('of named arguments is that of a plain-object tool called with the same names', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), named => {
        expect(inputOf(Object.values(named), Object.keys(named))).toEqual(inputOf([named]))
      }),
    )
  })
})

describe('an AbortSignal', () => {
  it.each([
    ['beside the object', [{ q: 1 }, signal], undefined, { q: 1 }],
    ['in the object', [{ q: 1, signal }], undefined, { q: 1 }],
    ['among arguments', ['a', signal, 'b'], undefined, { args: ['a', 'b'] }],
    ['alone', [signal], undefined, {}],
    [
      'in an options object beside others',
      ['a', { signal }],
      ['name', 'options'],
      { name: 'a', options: {} },
    ],
    ['as a named argument', ['a', signal], ['name', 'signal'], { name: 'a' }],
  ])('is no input, but it is found: %s', (_where, args, params, input) => {
    const found = toolInput(args, params)
    expect(JSON.parse(JSON.stringify(found.input))).toEqual(input)
    expect(found.signal).toBe(signal)
  })

  it('is taken out of a copy: the agent keeps its object', () => {
    const options = { q: 1, signal }
    toolInput([options], undefined)
    expect(options.signal).toBe(signal)
  })
})
