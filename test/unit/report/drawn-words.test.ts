import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import { drawnHint } from '../../../src/report/drawn-words.ts'
import { divergence } from './refund-desk.ts'

function hintOf(path: string, recorded: Json, actual: Json): string | null {
  const differences = [{ path, change: 'changed' as const, recorded, actual }]
  return drawnHint([{ ...divergence('changed-input'), differences }])?.sentence ?? null
}

const UUIDS = ['0b1c5e7a-1d2f-4a3b-8c4d-5e6f708192a3', '7f6e5d4c-3b2a-4190-8f7e-6d5c4b3a2918'] as const

describe('a difference that looks like the doing of clock or chance is named', () => {
  for (const [what, path, recorded, actual, says] of [
    ['a UUID', '/id', ...UUIDS, '/id looks random'],
    [
      'a UUID in a prompt',
      '/prompt',
      `Trace ${UUIDS[0]}, please`,
      `Trace ${UUIDS[1]}, please`,
      '/prompt looks random',
    ],
    ['an id in hex', '/id', 'req_0b1c5e7a', 'req_7f6e5d4c', '/id looks random'],
    ['an id of nanoid', '/id', 'V1StGXR8_Z5jdHi6B-myT', 'xq3Lk9-TzW0aBc_d7EfGh', '/id looks random'],
    ['a random number', '/temperature', 0.7312341231234, 0.1190283740192, '/temperature looks random'],
    [
      'an ISO time',
      '/at',
      '2026-12-01T10:00:00.000Z',
      '2026-12-02T10:00:03.120Z',
      'looks like a time of the clock',
    ],
    ['an epoch', '/at', 1796127849776, 1796127850000, 'looks like a time of the clock'],
    ['an epoch in a URL', '/path', '/x?t=1796127849', '/x?t=1796127850', 'looks like a time of the clock'],
    ['a duration by its name', '/elapsedMs', 12, 15, 'looks like an elapsed time'],
    ['a duration by its unit', '/log', 'done, took 12 ms', 'done, took 140 ms', 'looks like an elapsed time'],
  ] as const) {
    it(what, () => {
      expect(hintOf(path, recorded, actual)).toContain(says)
    })
  }

  it('all of a kind in one sentence', () => {
    const paths = ['/a', '/b', '/c', '/d', '/e']
    const differences = paths.map(path => ({
      path,
      change: 'changed' as const,
      recorded: UUIDS[0],
      actual: UUIDS[1],
    }))
    const hint = drawnHint([{ ...divergence('changed-input'), differences }])
    expect(hint?.sentence).toBe(
      '/a, /b, /c and 2 more look random. If so, pass it into the agent, or record with --seeded.',
    )
  })
})

describe('any other difference is not', () => {
  for (const [what, path, recorded, actual] of [
    ['an amount', '/amount', 42.5, 43.5],
    ['a day', '/day', '2026-12-01', '2026-12-02'],
    ['words', '/prompt', 'Refunds up to 50 EUR', 'Refunds up to 80 EUR'],
    ['words beside an id', '/prompt', `Trace ${UUIDS[0]} now`, `Follow ${UUIDS[1]} now`],
    ['an order', '/order_id', 'A-17', 'A-18'],
    ['a number whose name only sounds like it', '/items', 12, 15],
    ['a text for an id', '/id', UUIDS[0], 'unknown'],
  ] as const) {
    it(what, () => {
      expect(hintOf(path, recorded, actual)).toBeNull()
    })
  }

  it('what is equal is never named, and a text of any kind is looked through in time', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2000 }), text => {
        expect(hintOf('/x', text, text)).toBeNull()
      }),
    )
    const start = performance.now()
    hintOf('/x', 'aA1'.repeat(100_000), `${'aA1'.repeat(100_000)}!`)
    hintOf('/x', '1 '.repeat(100_000), '2 '.repeat(100_000))
    expect(performance.now() - start).toBeLessThan(3000)
  })
})
