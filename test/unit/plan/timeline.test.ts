import { describe, expect, it } from 'vitest'
import type { StepforkError } from '../../../src/errors.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { OriginLine } from '../../../src/trace/origin.ts'
import { call, fixture, made, type Noted, origin, recording, result } from './recordings.ts'

const two: readonly Noted[] = [
  call('a', 'search'),
  call('b', 'read'),
  result('rb', 'read', 2, { under: 'b' }),
  result('ra', 'search', 1, { under: 'a' }),
]

const end = (number: number, at = number): OriginLine => ({ call: number, part: 'end', at })
const abort = (number: number, at = number): OriginLine => ({ call: number, abort: true, at })
const chunk = (number: number, at = number): OriginLine => ({ call: number, part: 'chunk', at })

/** The log as text: `+1 +2 -2 -1`; `~1` is a chunk. */
function logOf({ calls, deliveries }: Plan): string {
  const signs = { head: '^', chunk: '~', end: '-' }
  const entries = [
    ...calls.map(({ number, due }) => ({ text: `+${number}`, place: due, made: number })),
    ...deliveries.map(({ call: of, part, after }, index) => ({
      text: `${signs[part]}${of + 1}`,
      place: index + 0.5,
      made: after,
    })),
  ]
  return entries
    .sort((one, other) => one.place - other.place || one.made - other.made)
    .map(({ text }) => text)
    .join(' ')
}

describe('the order of calls and deliveries', () => {
  it('is that of the events in a bundle that has nothing else', () => {
    const plan = recording(two).plan()
    expect(logOf(plan)).toBe('+1 +2 -2 -1')
    expect(plan.deliveries.map(({ after, at }) => [after, at])).toEqual([
      [2, 3],
      [2, 4],
    ])
    expect(plan.hasTriggers).toBe(false)
    expect(plan.calls.map(({ trigger, shape }) => [trigger, shape])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  it('is that of a real run of the Python package with four calls side by side', () => {
    expect(logOf(fixture('gather_four').plan())).toMatch(/^\+1 \+2 \+3 \+4 -\d -\d -\d -\d$/)
  })

  it('is that of x-origin where the bundle has it, with triggers, shapes and places', () => {
    const log = [
      made(1, 'a', { shape: 'sync', site: 'a.ts:1:1' }),
      end(1),
      made(2, 'b', { trigger: 1 }),
      end(2),
    ]
    const plan = recording(two, origin(log)).plan()
    expect(logOf(plan)).toBe('+1 -1 +2 -2')
    expect(plan.hasTriggers).toBe(true)
    expect(plan.calls.map(({ trigger, shape, site }) => [trigger, shape, site])).toEqual([
      ['start', 'sync', 'a.ts:1:1'],
      [0, 'async', null],
    ])
  })

  it('has the chunks of a stream in their places', () => {
    const log = [
      made(1, 'a', { shape: 'stream' }),
      chunk(1),
      made(2, 'b', { trigger: 1 }),
      end(2),
      chunk(1),
      end(1),
    ]
    const plan = recording(two, origin(log)).plan()
    expect(logOf(plan)).toBe('+1 ~1 +2 -2 ~1 -1')
    expect(plan.calls[0]!.parts).toEqual([0, 2, 3])
  })

  it('has no end of a stream that was left half read', () => {
    const plan = recording(two, origin([made(1, 'a', { shape: 'stream' }), chunk(1), made(2, 'b')])).plan()
    expect(logOf(plan)).toBe('+1 ~1 +2')
  })

  it('says which call the agent aborted while it was open', () => {
    const log = [made(1, 'a'), made(2, 'b'), abort(1), end(2), end(1)]
    const plan = recording(two, origin(log)).plan()
    expect(logOf(plan)).toBe('+1 +2 -2 -1')
    expect(plan.calls.map(call => call.abortedAfter)).toEqual([0, undefined])
  })

  it('says whose order does not count', () => {
    const log = [made(1, 'a', { order: 'any' }), made(2, 'b'), end(2), end(1)]
    expect(
      recording(two, origin(log))
        .plan()
        .calls.map(call => call.order),
    ).toEqual(['any', undefined])
  })

  it('says which call was made inside which', () => {
    const log = [made(1, 'a'), made(2, 'b', { inside: 1 }), end(2), end(1)]
    expect(recording(two, origin(log)).plan().calls[1]!.inside).toBe(1)
  })
})

describe('an x-origin that does not fit its events', () => {
  const refused = (log: readonly OriginLine[]): void => {
    const recorded = recording(two, origin(log))
    expect(() => recorded.plan()).toThrow(
      expect.objectContaining({
        code: 'BUNDLE_INVALID',
        message: expect.stringMatching(/x-origin\.jsonl does not fit events\.jsonl/),
        hint: expect.stringMatching(/x-origin/),
      } satisfies Partial<Record<keyof StepforkError, unknown>>),
    )
  }

  it('names a call that is not there', () => refused([made(1, 'a'), made(2, 'nothing')]))
  it('has the calls in another order', () => refused([made(1, 'b'), made(2, 'a')]))
  it('leaves a call out', () => refused([made(1, 'a')]))
  it('has a call twice', () => refused([made(1, 'a'), made(1, 'a'), made(2, 'b')]))
  it('uses a number twice', () => refused([made(1, 'a'), made(1, 'b')]))
  it('delivers to a call that was not made', () => refused([made(1, 'a'), end(2), made(2, 'b')]))
  it('ends a call twice', () => refused([made(1, 'a'), end(1), end(1), made(2, 'b')]))
  it('goes on with a stream that has ended', () => refused([made(1, 'a'), end(1), chunk(1), made(2, 'b')]))
  it('has a call inside one that comes later', () => refused([made(1, 'a', { inside: 2 }), made(2, 'b')]))
  it('aborts a call that was not made', () => refused([made(1, 'a'), abort(2), made(2, 'b')]))
  it('aborts a call that has ended', () => refused([made(1, 'a'), end(1), abort(1), made(2, 'b')]))
  it('has a call inside itself', () => refused([made(1, 'a', { inside: 1 }), made(2, 'b')]))
  it('has a call that a delivery triggered which comes later', () =>
    refused([made(1, 'a'), made(2, 'b', { trigger: 1 }), end(1)]))
})
