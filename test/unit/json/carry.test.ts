import { isDeepStrictEqual } from 'node:util'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import superjson from 'superjson'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../../src/json/canonical-text.ts'
import { canonicalValue } from '../../../src/json/canonical-value.ts'
import type { Kind, Mark } from '../../../src/json/mark.ts'
import { marked } from '../../../src/json/marked.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { revive } from '../../../src/json/revive.ts'
import { carry } from '../../../src/json/snapshot.ts'
import type { Json } from '../../../src/json/value.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { arbitraryValue } from './arbitrary-value.ts'

/** Written down, and read again. */
function again(value: unknown): unknown {
  const carried = carry(value)
  const text = writeJson({ value: carried.value, marks: carried.marks as unknown as Json })
  const read = parseJson(text) as unknown as { value: Json; marks: readonly Mark[] }
  return revive(read.value, read.marks)
}

function plainOf(value: unknown): Json {
  return carry(value).value
}

function kindsOf(value: unknown): [path: string, is: Kind][] {
  return carry(value).marks.map(({ path, is }) => [path, is])
}

describe('a value that JSON cannot carry', () => {
  it('comes back as it was, whatever it is nested in', () => {
    fc.assert(
      fc.property(arbitraryValue, value => {
        expect(isDeepStrictEqual(again(value), value)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is plain JSON with a canonical text, and has the same marks when it is carried once more', () => {
    fc.assert(
      fc.property(arbitraryValue, value => {
        const { value: plain, marks } = carry(value)
        expect(canonicalText(writeJson(plain))).toBe(canonicalValue(plain))
        expect(carry(again(value))).toEqual({ value: plain, marks, lost: null })
      }),
    )
  })

  it('is carried wherever superjson carries it', () => {
    const value = {
      at: new Date(0),
      nothing: [undefined],
      odd: [Number.NaN, Number.NEGATIVE_INFINITY, -0],
      big: 12n,
      pattern: /a\/b/gi,
      place: new URL('https://a.example/?q=1#x'),
      rows: new Map<unknown, unknown>([[{ id: 1 }, new Set([new Date(1)])]]),
      vector: new Float32Array([0.5, Number.NaN, -0]),
      ids: new BigUint64Array([2n ** 64n - 1n]),
    }
    expect(again(value)).toEqual(superjson.parse(superjson.stringify(value)))
  })

  it('is carried where superjson gives up: members named constructor, bytes of a Buffer, a date that is none', () => {
    const value = { constructor: 1, bytes: Buffer.from('hi'), when: new Date(Number.NaN) }
    expect(() => superjson.parse(superjson.stringify(value))).toThrow()
    expect(again(value)).toEqual(value)
  })

  it.each<[string, unknown, Json]>([
    ['undefined in a list', [undefined], [null]],
    ['NaN and the infinities', [Number.NaN, Number.POSITIVE_INFINITY], ['NaN', 'Infinity']],
    ['minus zero', -0, 0],
    ['a bigint', 2n ** 64n, 2n ** 64n],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a date that is none', new Date(Number.NaN), null],
    ['a pattern', /a/g, '/a/g'],
    ['a URL', new URL('https://a.example'), 'https://a.example/'],
    ['a Map of names', new Map([['a', 1]]), { a: 1 }],
    [
      'a Map with a name that is an index',
      new Map([
        ['b', 1],
        ['1', 2],
      ]),
      [{ b: 1 }, { '1': 2 }],
    ],
    [
      'a Map of anything',
      new Map<unknown, unknown>([
        [1, 'x'],
        ['password', 'y'],
      ]),
      [[1, 'x'], { password: 'y' }],
    ],
    ['a Set', new Set([1, 'a']), [1, 'a']],
    ['bytes', new Uint8Array([104, 105]), 'aGk='],
    ['a Buffer', Buffer.from('hi'), 'aGk='],
    ['numbers', new Float32Array([0.5, Number.NaN]), [0.5, 'NaN']],
    [
      'an error',
      Object.assign(new TypeError('no'), { code: 'E' }),
      { name: 'TypeError', message: 'no', members: { code: 'E' } },
    ],
  ])('is plain for other readers: %s', (_what, value, plain) => {
    expect(plainOf(value)).toEqual(plain)
  })

  it('is marked at its place in the plain value', () => {
    const value = { 'a/b': new Map([['at', [new Date(0)]]]), list: [undefined, new Set([1n])] }
    expect(kindsOf(value)).toEqual([
      ['/a~1b', 'Map'],
      ['/a~1b/at/0', 'Date'],
      ['/list/0', 'undefined'],
      ['/list/1', 'Set'],
      ['/list/1/0', 'bigint'],
    ])
  })

  it('is known also when it comes from another realm', () => {
    const value = runInNewContext('[new Date(0), new Map([[1, /x/]]), new Uint8Array([1])]')
    expect(again(value)).toEqual([new Date(0), new Map([[1, /x/]]), new Uint8Array([1])])
  })

  it('comes as an absent member where it is undefined in an object, as in JSON', () => {
    expect(again({ a: undefined, b: 1 })).toEqual({ b: 1 })
    expect(Object.keys(again({ a: undefined }) as object)).toEqual([])
  })

  it('is mended where half of an emoji stands in the key of a Map, which stays one of its own', () => {
    const { value } = carry(
      new Map([
        ['\ud83d', 1],
        ['\udc4d', 2],
      ]),
    )
    expect(value).toEqual([{ '\ufffd': 1 }, { '\ufffd': 2 }])
  })

  it('keeps the members of an error that can be kept, and leaves the others', () => {
    const failure = Object.assign(new Error('x'), {
      at: new Date(0),
      socket: { write: () => 1, at: new Date(1) },
    })
    expect(kindsOf(failure)).toEqual([
      ['', 'Error'],
      ['/members/at', 'Date'],
    ])
    expect(again([failure])).toMatchObject([{ message: 'x', at: new Date(0) }])
  })
})

describe('what cannot be carried', () => {
  it.each<[unknown, string]>([
    [new Map([['f', () => 1]]), 'a function has no JSON form (at $.f)'],
    [new Set([Symbol('x')]), 'a symbol has no JSON form (at $[0])'],
    [new Map([[1, Promise.resolve()]]), 'a Promise has no JSON form: it would become {} (at $[0][1])'],
    [[new WeakMap()], 'a WeakMap has no JSON form'],
  ])('is an error that names the place', (value, sentence) => {
    expect(() => carry(value)).toThrow(sentence)
  })

  it('is a value that holds itself, through a Map, a Set or an error, too', () => {
    const map = new Map<string, unknown>()
    map.set('a', [map])
    expect(() => carry(map)).toThrow('the value holds itself (at $.a[0])')
    const set = new Set<unknown>()
    set.add({ set })
    expect(() => carry(set)).toThrow('the value holds itself')
    const round: Error & { self?: unknown } = new Error('x')
    round.self = { round }
    expect(again(round)).toMatchObject({ message: 'x' })
  })

  it('is nested too deep', () => {
    let deep: unknown = new Set()
    for (let level = 0; level < 1001; level++) deep = new Set([deep])
    expect(() => carry(deep)).toThrow('nested deeper than 1000 levels')
  })
})

class Money {
  readonly amount = 3
  get text(): string {
    return `${this.amount} EUR`
  }
}

class Row {
  readonly id = 3
}

describe('what comes back as its data alone', () => {
  it.each<[string, unknown, string]>([
    ['an object with an accessor', new Money(), 'a Money (at $)'],
    ['one that inherits it', [{ fee: new (class Fee extends Money {})() }], 'a Fee (at $[0].fee)'],
    ['a toJSON of its own', { toJSON: () => 1 }, 'an object with toJSON (at $)'],
    ['a class of dates', { at: new (class Day extends Date {})(0) }, 'a Day (at $.at)'],
    ['a class of errors', new Set([new (class Declined extends Error {})('no')]), 'a Declined (at $[0])'],
  ])('is named: %s', (_what, value, lost) => {
    expect(carry(value).lost).toBe(lost)
  })

  it.each<[string, unknown]>([
    ['a class that only has fields', new Row()],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['an object of another realm', runInNewContext('({ a: [1, { b: 2 }] })')],
  ])('is nothing for %s', (_what, value) => {
    expect(carry(value).lost).toBeNull()
  })

  it('is nothing for what is carried', () => {
    fc.assert(fc.property(arbitraryValue, value => carry(value).lost === null))
  })
})

describe('compared', () => {
  const comparable = (value: unknown): string => {
    const { value: plain, marks } = carry(value)
    return canonicalValue(marked(plain, marks))
  }

  it.each<[string, unknown, unknown]>([
    ['NaN', Number.NaN, Number.NaN],
    ['dates of the same time', new Date(5), new Date(5)],
    [
      'Maps with the same entries',
      new Map<unknown, unknown>([
        [1, 2],
        ['a', 3],
      ]),
      new Map<unknown, unknown>([
        ['a', 3],
        [1, 2],
      ]),
    ],
    ['Sets with the same items', new Set([1, 2]), new Set([2, 1])],
    ['a bigint and a number', 5n, 5],
    ['zeros', 0, -0],
  ])('equal are %s', (_what, one, other) => {
    expect(comparable({ a: one })).toBe(comparable({ a: other }))
  })

  it.each<[string, unknown, unknown]>([
    ['a date and its text', new Date(5), new Date(5).toISOString()],
    ['dates', new Date(5), new Date(6)],
    ['NaN and its text', Number.NaN, 'NaN'],
    ['undefined and null in a list', [undefined], [null]],
    ['a Map and an object', new Map([['a', 1]]), { a: 1 }],
    ['a Set and a list', new Set([1]), [1]],
    ['a Buffer and other bytes', Buffer.from('a'), new Uint8Array([97])],
    ['an error and its record', new Error('x'), { name: 'Error', message: 'x' }],
  ])('different are %s', (_what, one, other) => {
    expect(comparable({ a: one })).not.toBe(comparable({ a: other }))
  })
})

describe('marks that contradict their value', () => {
  it.each<[Json, string, Kind, string]>([
    ['2026-12-01', '', 'Date', 'the whole: its value is none of the kind Date'],
    ['soon', '', 'Date', 'none of the kind Date'],
    [{ a: 1 }, '/b', 'Date', '/b: there is nothing'],
    [{ a: 1 }, '/__proto__', 'Map', '/__proto__: there is nothing'],
    [[1], '/-1', 'bigint', '/-1: there is nothing'],
    [[1], '/length', 'bigint', '/length: there is nothing'],
    ['abc', '/0', 'bigint', '/0: there is nothing'],
    [1.5, '', 'bigint', 'none of the kind bigint'],
    ['1', '', 'number', 'none of the kind number'],
    [1, '', '-0', 'none of the kind -0'],
    [0, '', 'undefined', 'none of the kind undefined'],
    ['/(/', '', 'RegExp', 'none of the kind RegExp'],
    ['nowhere', '', 'URL', 'none of the kind URL'],
    [[[1, 2, 3]], '', 'Map', 'none of the kind Map'],
    [[{ a: 1, b: 2 }], '', 'Map', 'none of the kind Map'],
    [{ a: 1 }, '', 'Set', 'none of the kind Set'],
    [{ name: 'E' }, '', 'Error', 'none of the kind Error'],
    ['a', '', 'Buffer', 'none of the kind Buffer'],
    [[300], '', 'Int8Array', 'none of the kind Int8Array'],
    [['x'], '', 'Float64Array', 'none of the kind Float64Array'],
    [[2 ** 70], '', 'BigInt64Array', 'none of the kind BigInt64Array'],
  ])('are an error: %j with %j a %s', (value, path, is, sentence) => {
    expect(() => revive(value, [{ path, is }])).toThrow(sentence)
  })

  it('are an error when a place has two', () => {
    const twice = [
      { path: '', is: 'Date' as const },
      { path: '', is: 'URL' as const },
    ]
    expect(() => revive('x', twice)).toThrow('it is marked twice')
    expect(() => revive('x', [{ path: 'x', is: 'Date' }])).toThrow('no JSON Pointer')
  })

  it('change no prototype and call nothing', () => {
    const hostile = JSON.parse(
      '{"e":{"name":"constructor","message":"m","members":{"__proto__":{"polluted":1},"toString":"x"}},"__proto__":["a"]}',
    )
    const revived = revive(hostile, [
      { path: '/e', is: 'Error' },
      { path: '/__proto__', is: 'Set' },
    ]) as { e: Error }
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect(revived.e).toBeInstanceOf(Error)
    expect(Object.getPrototypeOf(revived)).toBe(Object.prototype)
  })
})
