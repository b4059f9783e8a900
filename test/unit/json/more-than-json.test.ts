import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { moreThanJson } from '../../../src/json/more-than-json.ts'

class Money {
  readonly amount = 3
  get text(): string {
    return `${this.amount} EUR`
  }
}

class Record3 {
  readonly id = 3
}

describe('of a result that comes back as its JSON alone', () => {
  it.each([
    ['a bigint', { id: 3n }, 'a bigint (at $.id)'],
    ['a date', [{ at: new Date(0) }], 'a Date (at $[0].at)'],
    ['bytes', Buffer.from('hi'), 'a Buffer (at $)'],
    ['an object with an accessor', new Money(), 'a Money (at $)'],
    ['one that inherits it', new (class Fee extends Money {})(), 'a Fee (at $)'],
    ['a toJSON of its own', { toJSON: (): number => 1 }, 'an object with toJSON (at $)'],
  ])('names %s', (_what, value, text) => {
    expect(moreThanJson(value)).toBe(text)
  })

  it.each([
    ['a class that only has fields', new Record3()],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['an object of another realm', runInNewContext('({ a: [1, { b: 2 }] })')],
  ])('says nothing of %s', (_what, value) => {
    expect(moreThanJson(value)).toBeNull()
  })

  it('says nothing of plain data', () => {
    fc.assert(fc.property(fc.jsonValue(), value => moreThanJson(value) === null))
  })

  it('ends with a value that holds itself, and soon with a large one', () => {
    const round: { self?: unknown } = {}
    round.self = round
    expect(moreThanJson(round)).toBeNull()
    expect(moreThanJson(Array.from({ length: 300_000 }, (_, at) => ({ at })))).toBeNull()
  })
})
