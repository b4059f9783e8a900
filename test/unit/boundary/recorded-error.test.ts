import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recordError, reviveError } from '../../../src/boundary/recorded-error.ts'
import type { RecordedError } from '../../../src/json/error-record.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import type { ErrorClass } from '../../../src/json/rebuild-error.ts'
import type { Json } from '../../../src/json/value.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'

/** What the agent gets in a replay: recorded, written down, read and revived. */
function again(thrown: unknown, classes: readonly ErrorClass[] = []): unknown {
  return reviveError(
    parseJson(writeJson(recordError(thrown) as unknown as Json)) as unknown as RecordedError,
    classes,
  )
}

class Overloaded extends Error {
  override readonly name = 'Overloaded'
  readonly status = 529
}

/** Leaves the name of Error, as many classes do. */
class Declined extends Error {}

describe('a recorded failure is thrown again', () => {
  it('with its name, its message and the class of the language', () => {
    const error = again(new TypeError('no such thing')) as TypeError
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ name: 'TypeError', message: 'no such thing' })
    expect(error.stack).toMatch(/^TypeError: no such thing\n/)
  })

  it('as an instance of the class given, by the name it has or that of its class', () => {
    expect(again(new Overloaded('later'), [Declined, Overloaded])).toBeInstanceOf(Overloaded)
    expect(again(new Declined('no'), [Overloaded, Declined])).toBeInstanceOf(Declined)
  })

  it('as a plain Error with that name when its class is not given', () => {
    const error = again(new Overloaded('later'))
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(Overloaded)
    expect(error).toMatchObject({ name: 'Overloaded', status: 529 })
  })

  it('with members that JSON shows shown, and the others hidden', () => {
    const error = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', port: 1 })
    Object.defineProperty(error, 'secret', { value: 'kept', enumerable: false })
    const revived = again(error) as typeof error & { secret: string }
    expect(JSON.stringify(revived)).toBe(JSON.stringify(error))
    expect(revived.secret).toBe('kept')
  })

  it('with the same JSON, whether or not its class shows the name', () => {
    expect(JSON.stringify(again(new Overloaded('later')))).toBe('{"name":"Overloaded","status":529}')
    expect(JSON.stringify(again(new Declined('no')))).toBe('{}')
  })

  it('with its causes, an error or anything else', () => {
    const error = new Error('outer', { cause: new RangeError('inner', { cause: { status: 500 } }) })
    const revived = again(error) as Error & { cause: Error }
    expect(revived.cause).toBeInstanceOf(RangeError)
    expect(revived.cause.cause).toEqual({ status: 500 })
    expect(Object.keys(revived)).toEqual([])
  })

  it('with the errors of an AggregateError, as a refused connection has them', () => {
    const first = Object.assign(new Error('::1'), { code: 'ECONNREFUSED' })
    const revived = again(
      new TypeError('fetch failed', { cause: new AggregateError([first, new Error('127')]) }),
    )
    const { cause } = revived as { cause: AggregateError }
    expect(cause).toBeInstanceOf(AggregateError)
    expect(cause.errors).toMatchObject([{ message: '::1', code: 'ECONNREFUSED' }, { message: '127' }])
  })

  it('as the DOMException that an abort throws', () => {
    const revived = again(AbortSignal.abort().reason)
    expect(revived).toBeInstanceOf(DOMException)
    expect(revived).toMatchObject({ name: 'AbortError', code: 20 })
  })

  it('as an error, also when it comes from another realm', () => {
    const revived = again(runInNewContext('new TypeError("there")'))
    expect(revived).toBeInstanceOf(TypeError)
    expect(revived).toMatchObject({ message: 'there' })
  })

  it.each([['text'], [7], [null], [{ code: 1 }], [[1, 2]]])(
    'as the very value when it was no error: %j',
    thrown => expect(again(thrown)).toEqual(thrown),
  )

  it('as text when it was neither an error nor JSON', () => {
    expect(again(Symbol('x'))).toBe('Symbol(x)')
    expect(again(Object.assign(Object.create(null), { f: () => 1 }))).toBe('[object Object]')
  })

  it('with a message even where it is empty, and a name where it has none', () => {
    expect(again(new Error(''))).toMatchObject({ name: 'Error', message: '' })
    expect(again(Object.assign(new Error('x'), { name: '' }))).toMatchObject({ name: 'Error' })
  })

  it('with members that JSON lacks, and thrown values that are such', () => {
    const at = new Date(5)
    expect({ ...(again(Object.assign(new Error('x'), { at, left: new Map([[1, 2n]]) })) as Error) }).toEqual({
      at,
      left: new Map([[1, 2n]]),
    })
    expect(again({ at: [at, Number.NaN] })).toEqual({ at: [at, Number.NaN] })
    expect(again(undefined)).toBeUndefined()
  })

  it('without members that have no JSON form or cannot be read', () => {
    const error = Object.assign(new Error('x'), { socket: () => 1, code: 'E' })
    Object.defineProperty(error, 'broken', { enumerable: true, get: () => JSON.parse('{') })
    expect({ ...(again(error) as Error) }).toEqual({ code: 'E' })
  })

  it('without an end of causes that cause each other', () => {
    const error = new Error('a')
    error.cause = error
    expect(() => again(error)).not.toThrow()
  })
})

describe('a bundle that means harm', () => {
  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'names an error %s: it is an error',
    name => {
      const error = reviveError({ name, class: name, message: 'm' }, [])
      expect(error).toBeInstanceOf(Error)
      expect(error).toMatchObject({ name, message: 'm' })
    },
  )

  it('has a member __proto__: it is a member', () => {
    const members = JSON.parse('{"__proto__":{"isAdmin":true}}') as Record<string, Json>
    const error = reviveError({ name: 'Error', message: 'm', members }, []) as Error
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
    expect('isAdmin' in error).toBe(false)
  })
})

const memberName = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter(name => !['name', 'message', 'stack', 'cause', 'errors', 'constructor', 'toJSON'].includes(name))

const arbitraryError: fc.Arbitrary<Error> = fc
  .record({
    type: fc.constantFrom(Error, TypeError, RangeError, Overloaded, Declined),
    message: fc.string({ unit: 'grapheme' }),
    name: fc.option(fc.string({ minLength: 1 })),
    members: fc.array(fc.tuple(memberName, arbitraryJson.filter(hasNoBigint), fc.boolean()), {
      maxLength: 4,
    }),
    depth: fc.nat(3),
  })
  .map(({ type, message, name, members, depth }) => {
    let error: Error = new type(message)
    if (name !== null) Object.defineProperty(error, 'name', { value: name, configurable: true })
    for (const [key, value, enumerable] of members)
      Object.defineProperty(error, key, { value, enumerable, configurable: true })
    for (let wrapped = 0; wrapped < depth; wrapped++) error = new Error(`around ${wrapped}`, { cause: error })
    return error
  })

/** Of a bigint the members of an error would keep only the digits, when they are written as JSON. */
function hasNoBigint(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint'
  return Object.values(value).every(hasNoBigint)
}

/** Everything that an agent can see of an error, but its stack. */
function visible(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const own = Object.getOwnPropertyNames(error)
    .filter(key => !['stack', 'name', 'message', 'cause'].includes(key))
    .map(key => [key, Object.getOwnPropertyDescriptor(error, key)!] as const)
    .map(([key, { value, enumerable }]) => [key, JSON.stringify(value), enumerable])
  return {
    name: error.name,
    message: error.message,
    class: Object.getPrototypeOf(error).constructor,
    own,
    json: JSON.stringify(error),
    cause: visible(error.cause),
  }
}

describe('whatever error a tool throws', () => {
  it('name, message, class, members, their order and enumerability, and causes come back', () => {
    fc.assert(
      fc.property(arbitraryError, error => {
        expect(visible(again(error, [Overloaded, Declined]))).toEqual(visible(error))
      }),
    )
  })

  it('recording the revived one gives the same record', () => {
    fc.assert(
      fc.property(arbitraryError, error => {
        const recorded = recordError(error)
        expect(recordError(reviveError(recorded, [Overloaded, Declined]))).toEqual(recorded)
      }),
    )
  })
})
