import { describe, expect, it } from 'vitest'
import type { LabelOf } from '../../../src/sandbox/labels.ts'
import { createServedClock } from '../../../src/sandbox/served-clock.ts'
import { createServedValues } from '../../../src/sandbox/served-values.ts'
import type { ReadLine } from '../../../src/trace/determinism.ts'

const entry = (): void => {}

describe('values are given again by label', () => {
  const values = () =>
    createServedValues([
      { what: 'random', interval: 0, site: 'a', values: [1, 2] },
      { what: 'random', interval: 0, site: 'b', values: [3] },
      { what: 'random', interval: 2, site: 'a', values: [4] },
    ])

  it('in their order, whatever is drawn elsewhere', () => {
    const { next } = values()
    const drawn = [next('random', at(0, 'a')), next('random', at(0, 'c')), next('random', at(0, 'b'))]
    expect([...drawn, next('random', at(0, 'a'))]).toEqual([1, undefined, 3, 2])
    expect([next('random', at(0, 'a')), next('random', at(2, 'a'))]).toEqual([undefined, 4])
  })

  it('later, what a timer drew that is slower now', () => {
    const { next } = values()
    next('random', at(0, 'a'))
    expect([next('random', at(1, 'a')), next('random', at(2, 'a')), next('random', at(2, 'a'))]).toEqual([
      2,
      4,
      undefined,
    ])
  })

  it('never earlier than they were drawn', () => {
    const { next } = values()
    next('random', at(0, 'a'))
    next('random', at(0, 'a'))
    expect(next('random', at(1, 'a'))).toBeUndefined()
  })
})

describe('the recorded clock', () => {
  it('gives what the same place read, and stands still for a read more', () => {
    const { clock, read } = clockOf([{ read: 'wall', interval: 0, site: 'a', values: [1000, 1010] }])
    expect([read(0, 'a', 5), read(0, 'b', 6), read(0, 'b', 7), read(0, 'a', 8)]).toEqual([
      1000, 1000, 1000, 1010,
    ])
    expect(clock.moments()).toBe(2)
  })

  it('goes on as the real one does behind the last reading', () => {
    const { read } = clockOf([{ read: 'wall', interval: 0, site: 'a', values: [1000] }])
    expect([read(0, 'a', 5), read(0, 'a', 25), read(1, 'b', 30)]).toEqual([1000, 1020, 1025])
  })

  it('stands however long one turn of the event loop takes', () => {
    const { read } = clockOf([{ read: 'wall', interval: 0, site: 'a', values: [1000, 1001] }])
    read(0, 'a', 0)
    expect([read(0, 'b', 9000), read(0, 'a', 9001)]).toEqual([1000, 1001])
  })

  it('does not run ahead of a reading that is recorded later', () => {
    const { read } = clockOf([
      { read: 'wall', interval: 0, site: 'a', values: [1000] },
      { read: 'wall', interval: 1, site: 'a', values: [1003] },
    ])
    expect([read(0, 'a', 0), read(0, 'b', 500), read(1, 'a', 900)]).toEqual([1000, 1000, 1003])
  })

  it('goes on for code that waits turn after turn, though readings are still to come', () => {
    const { read, nextTurn } = clockOf([{ read: 'wall', interval: 0, site: 'a', values: [1000, 1001] }])
    read(0, 'a', 0)
    const shown = Array.from({ length: 30 }, (_, i) => {
      nextTurn()
      return read(0, 'loop', 10 * i)
    })
    expect([shown[19], shown[20], shown[29]]).toEqual([1000, 1200, 1290])
    expect(read(0, 'a', 300)).toBe(1290)
  })

  it('stands on the recorded day for what reads it before any recorded reading', () => {
    const { read } = clockOf([{ read: 'wall', interval: 3, site: 'a', values: [1000] }])
    expect(read(0, 'b', 777_777)).toBe(1000)
  })

  it('never goes backwards', () => {
    const { read } = clockOf([
      { read: 'wall', interval: 0, site: 'a', values: [1000] },
      { read: 'wall', interval: 0, site: 'b', values: [1005] },
    ])
    expect([read(0, 'b', 1), read(0, 'a', 2)]).toEqual([1005, 1005])
  })

  it('of which nothing was recorded is the real one', () => {
    const { read } = clockOf([{ read: 'monotone', interval: 0, site: 'a', values: [1] }])
    expect(read(0, 'a', 777)).toBe(777)
  })
})

function at(interval: number, site: string) {
  return { interval, site }
}

function clockOf(recorded: readonly ReadLine[]) {
  let now = at(0, '')
  let turn = 0
  const labelOf: LabelOf = () => now
  const clock = createServedClock(recorded, labelOf, () => turn)
  const read = (interval: number, site: string, real: number): number => {
    now = at(interval, site)
    return clock.read('wall', real, entry)
  }
  return { clock, read, nextTurn: () => void turn++ }
}
