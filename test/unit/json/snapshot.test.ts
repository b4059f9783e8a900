import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StepforkError } from '../../../src/errors.ts'
import { sameJson } from '../../../src/json/compare.ts'
import { snapshot } from '../../../src/json/snapshot.ts'
import { arbitraryJson } from './arbitrary-json.ts'

describe('a snapshot', () => {
  it('is an equal copy that later changes do not reach', () => {
    fc.assert(fc.property(arbitraryJson, value => sameJson(value, snapshot(value))))
    const live = { list: [{ n: 1 }] }
    const copy = snapshot(live)
    live.list[0]!.n = 2
    expect(copy).toEqual({ list: [{ n: 1 }] })
  })

  it('sees what JSON.stringify sees', () => {
    class Order {
      id = 7
      #secret = 1
      note: string | undefined = undefined
      total(): number {
        return this.#secret
      }
    }
    expect(
      snapshot({ when: new Date(0), order: new Order(), list: [undefined], big: 10n, boxed: Object('s') }),
    ).toEqual({
      when: '1970-01-01T00:00:00.000Z',
      order: { id: 7 },
      list: [null],
      big: 10n,
      boxed: 's',
    })
    expect(snapshot(undefined)).toBeNull()
    expect(snapshot({ url: new URL('https://a.example/x') })).toEqual({ url: 'https://a.example/x' })
  })

  it('gives toJSON the name of its member and does not ask its result again', () => {
    const asks = { toJSON: (key: string) => ({ key, toJSON: undefined }) }
    expect(snapshot({ a: asks })).toEqual({ a: { key: 'a' } })
  })

  it('keeps a member named __proto__', () => {
    const copy = snapshot(JSON.parse('{"__proto__":{"a":1}}'))
    expect(Object.keys(copy as object)).toEqual(['__proto__'])
  })

  it('mends a text that was cut in the middle of an emoji, since no file and no request could carry it', () => {
    const cut = '👍🏽 fine 👍'.slice(0, -1)
    expect(snapshot({ text: cut, '\udc4d': 1, whole: '👍' })).toEqual({
      text: '👍🏽 fine \ufffd',
      '\ufffd': 1,
      whole: '👍',
    })
  })

  it('refuses what JSON would lose, and names the place', () => {
    const cases: [unknown, string][] = [
      [{ items: [{ price: Number.NaN }] }, 'NaN is not a JSON number (at $.items[0].price)'],
      [[Number.POSITIVE_INFINITY], 'Infinity is not a JSON number (at $[0])'],
      [{ 'odd key': () => 1 }, 'a function has no JSON form (at $["odd key"])'],
      [Symbol('x'), 'a symbol has no JSON form (at $)'],
      [{ m: new Map([[1, 2]]) }, 'a Map has no JSON form: it would become {} (at $.m)'],
      [{ e: new Error('lost') }, 'a Error has no JSON form'],
      [{ p: Promise.resolve(1) }, 'a Promise has no JSON form'],
    ]
    for (const [value, sentence] of cases) expect(() => snapshot(value)).toThrow(sentence)
  })

  it('refuses cycles and endless nesting with a sentence', () => {
    const loop: Record<string, unknown> = {}
    loop.a = { b: loop }
    expect(() => snapshot(loop)).toThrow('the value holds itself (at $.a.b)')
    let deep: unknown = 1
    for (let level = 0; level < 1001; level++) deep = [deep]
    expect(() => snapshot(deep)).toThrow(StepforkError)
    const endless = { toJSON: (): unknown => ({ again: endless }) }
    expect(() => snapshot(endless)).toThrow(StepforkError)
  })

  it('takes the same object twice, as it is no cycle', () => {
    const shared = { a: 1 }
    expect(snapshot([shared, shared])).toEqual([{ a: 1 }, { a: 1 }])
  })
})
