import { describe, expect, it } from 'vitest'
import { CassettePlayer, playCassette } from '../../../src/cassette/cassette-player.ts'
import { CassetteWorld } from '../../../src/cassette/cassette-world.ts'
import { canonicalCassette, contentHash } from '../../../src/cassette/content-hash.ts'
import type { CassetteMismatchError } from '../../../src/cassette/mismatch.ts'
import { toCassette } from '../../../src/cassette/read-cassette.ts'
import { parseTrace } from '../../../src/cassette/read-trace.ts'
import { cassetteFromTrace } from '../../../src/cassette/world-from-trace.ts'
import { ReplayError, ReplayMismatchError } from '../../../src/errors.ts'

const cassette = toCassette({
  task: 'find the tides',
  world: [
    { tool: 'search', match: { exact: { q: 'tides', page: 1 } }, response: { hits: ['a'] } },
    { tool: 'search', match: { subset: { q: 'moon' } }, response: { hits: [] } },
    { tool: 'toString', match: { any: true }, response: 'mine' },
    {
      tool: 'pay',
      match: { any: true },
      response: null,
      error: { name: 'CardDeclined', message: 'no', members: { code: 51 } },
    },
  ],
})

describe('a player', () => {
  it('is called in every way that its names promise', () => {
    const ways = [
      (player: CassettePlayer) => player.call('search', { q: 'moon' }),
      (player: CassettePlayer) => player.invoke('search', { q: 'moon' }),
      (player: CassettePlayer) => player.callable('search', { q: 'moon' }),
      (player: CassettePlayer) => player.tool('search')({ q: 'moon' }),
      (player: CassettePlayer) => player.getTool('search')({ q: 'moon' }),
      (player: CassettePlayer) => player.tools.search!({ q: 'moon' }),
    ]
    for (const way of ways) {
      const player = new CassettePlayer(cassette)
      expect(way(player)).toEqual({ hits: [] })
      expect(player.consumedIndices).toEqual([1])
    }
    expect(playCassette(cassette)('search', { q: 'moon' })).toEqual({ hits: [] })
  })

  it('answers a copy: what an agent does to it reaches neither the cassette nor the next play', () => {
    const hash = contentHash(cassette)
    const answer = new CassettePlayer(cassette).call<{ hits: string[] }>('search', { q: 'tides', page: 1 })
    answer.hits.push('b')
    expect(new CassettePlayer(cassette).call('search', { q: 'tides', page: 1 })).toEqual({ hits: ['a'] })
    expect(contentHash(cassette)).toBe(hash)
  })

  it('keeps a miss as it was asked, whatever becomes of the arguments', () => {
    const player = new CassettePlayer(cassette, { strict: false })
    const args = { deep: { list: [1] } }
    expect(player.call('nope', args)).toEqual({})
    args.deep.list.push(2)
    ;(player.misses[0]!.args as unknown as typeof args).deep.list.push(3)
    expect(player.misses).toEqual([{ tool: 'nope', args: { deep: { list: [1] } } }])
  })

  it('says of a miss which unused entry is nearest, and goes on working', () => {
    const player = new CassettePlayer(cassette)
    const error = thrownBy(() => player.call('search', { q: 'tides', page: 2 })) as CassetteMismatchError
    expect(error).toBeInstanceOf(ReplayMismatchError)
    expect(error).toBeInstanceOf(ReplayError)
    expect(error).toMatchObject({
      code: 'ERR_STEPFORK_DIVERGED',
      status: 400,
      message: 'no cassette response for search with arguments {"q":"tides","page":2}',
      tool: 'search',
      args: { q: 'tides', page: 2 },
      nearest: { index: 0, differences: [{ path: '/page', recorded: 1, actual: 2 }] },
      details: { kind: 'extra', call: 1, live: 1, label: 'search' },
    })
    expect(player.call('search', { q: 'tides', page: 1 })).toEqual({ hits: ['a'] })
  })

  it('takes the entry with the fewest differences for the nearest, of those that are unused', () => {
    const entries = [
      { q: 'a', page: 1 },
      { q: 'b', page: 2 },
      { q: 'a', page: 2, size: 5 },
    ]
    const world = entries.map(exact => ({ tool: 'search', match: { exact }, response: null }))
    const player = new CassettePlayer({ task: '', world })
    const nearest = (): unknown =>
      (thrownBy(() => player.call('search', { q: 'a', page: 3, size: 5 })) as CassetteMismatchError).nearest
    expect(nearest()).toMatchObject({ index: 2 })
    player.call('search', entries[2])
    expect(nearest()).toMatchObject({ index: 0 })
  })

  it('tells a call that was used up from one that never was there', () => {
    const player = new CassettePlayer(cassette)
    player.call('search', { q: 'moon' })
    expect(thrownBy(() => player.call('search', { q: 'moon' }))).toMatchObject({
      code: 'ERR_STEPFORK_EXHAUSTED',
      details: { kind: 'exhausted', call: 2 },
    })
  })

  it('throws a recorded failure, with its name and members', () => {
    expect(thrownBy(() => new CassettePlayer(cassette).call('pay'))).toMatchObject({
      name: 'CardDeclined',
      message: 'no',
      code: 51,
    })
  })

  it.each([[[]], ['text'], [0], [false]])('refuses %j as arguments', args => {
    expect(() => new CassettePlayer(cassette).call('search', args as never)).toThrow('must be one object')
  })

  it('lists each tool once, also one named as every object has it', () => {
    expect(Object.keys(new CassettePlayer(cassette).tools)).toEqual(['search', 'toString', 'pay'])
    expect(new CassettePlayer(cassette).tools.toString!()).toBe('mine')
  })
})

describe('a world', () => {
  it('has every name as a tool, but is no promise', async () => {
    const world = new CassetteWorld(cassette)
    expect(await Promise.resolve(world.tools)).toBe(world.tools)
    expect(Object.keys(world.tools)).toEqual(['search', 'toString', 'pay'])
    expect(() => world.tools.weather!({ city: 'Oslo' })).toThrow('no cassette response for weather')
    expect(world.misses).toEqual([{ tool: 'weather', args: { city: 'Oslo' } }])
  })
})

describe('a cassette from a trace', () => {
  const trace = parseTrace(
    [
      '{"type":"trace","run_id":"r","agent_version":"a","task":"t","outcome":"ok"}',
      '{"kind":"tool_call","idx":0,"ts":"2026-01-01","run_id":"r","tool":"pay","args":{},"call_id":"c"}',
      '{"kind":"tool_result","idx":1,"ts":"2026-01-01","run_id":"r","call_id":"c","content":2.0,"error":"card declined"}',
    ].join('\n'),
  )

  it('keeps the recorded failure, and throws it again', () => {
    const world = cassetteFromTrace(trace)
    expect(world.world[0]!.error).toEqual({ name: 'Error', message: 'card declined' })
    expect(() => new CassetteWorld(world).call('pay')).toThrow('card declined')
  })

  it('spells a content that is a number alone as the trace does', () => {
    expect(canonicalCassette(cassetteFromTrace(trace))).toContain('"response":2.0')
  })

  it('is what grudge makes of it when errors are dropped', () => {
    const world = cassetteFromTrace(trace, { errors: 'drop' })
    expect(world.world[0]).toEqual({
      tool: 'pay',
      match: { kind: 'exact', args: {} },
      response: 2,
      order_hint: 0,
    })
  })
})

function thrownBy(fn: () => unknown): unknown {
  try {
    fn()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
