/**
 * The recorded clock: a reading gives what the same place read in the same interval. A read more elsewhere shifts nothing: it
 * is given the last moment again, as long as recorded readings of the interval are still to come. Behind them, and for code
 * that waits for time to pass, the clock goes on as the real one does, and never backwards.
 */
import type { Clock, ReadLine } from '../trace/determinism.ts'
import type { ReadClock } from './clock.ts'
import type { LabelOf } from './labels.ts'
import { createServedValues } from './served-values.ts'

type Reading = number | bigint

export interface ServedClock {
  readonly read: ReadClock
  /** Different moments that were given again. */
  moments(): number
}

/** For so long in real time the clock stands; code that waits for time to pass reads on. */
const PATIENCE = { wall: 1000, monotone: 1000, hrtime: 1_000_000_000n } as const

export function createServedClock(
  recorded: readonly ReadLine[],
  labelOf: LabelOf,
  interval: () => number,
): ServedClock {
  const values = createServedValues<Reading>(recorded.map(({ read, ...line }) => ({ what: read, ...line })))
  const hands = new Map<Clock, Hands>()
  for (const { read } of recorded) if (!hands.has(read)) hands.set(read, createHands(read, recorded))
  const moments = new Set<Reading>()
  return { read: read as ReadClock, moments: () => moments.size }

  function read(clock: Clock, now: Reading, entry: (...args: never[]) => unknown): Reading {
    const hand = hands.get(clock)
    const label = hand === undefined ? null : labelOf(clock, entry)
    if (hand === undefined || label === null) return now
    const known = values.next(clock, label)
    if (known === undefined) return hand.between(now, interval(), label.site)
    if (clock === 'wall') moments.add(known)
    return hand.at(sameKind(known, now), now, label.interval)
  }
}

/** Nanoseconds are bigints in the process, and in JSON as large as they need to be. */
function sameKind(known: Reading, now: Reading): Reading {
  return typeof now === 'bigint' ? BigInt(known) : Number(known)
}

interface Hands {
  /** A recorded reading. */
  at(known: Reading, now: Reading, interval: number): Reading
  /** One that the recording does not have. */
  between(now: Reading, interval: number, site: string): Reading
}

function createHands(clock: Clock, recorded: readonly ReadLine[]): Hands {
  const left = new Map<number, number>()
  let first: Reading | undefined
  for (const { read, interval, values } of recorded) {
    if (read !== clock) continue
    left.set(interval, (left.get(interval) ?? 0) + values.length)
    for (const value of values) if (first === undefined || value < first) first = value
  }
  let shown: Reading | undefined
  let shownAt: Reading = 0
  return {
    at: (known, now, interval) => {
      left.set(interval, (left.get(interval) ?? 0) - 1)
      return show(shown === undefined || known > shown ? known : shown, now)
    },
    between: (now, interval, site) => {
      if (shown === undefined) return show(sameKind(first!, now), now)
      const passed = minus(now, shownAt)
      const isExpected = (left.get(interval) ?? 0) > 0 && site !== ''
      return isExpected && passed < PATIENCE[clock] ? shown : show(plus(shown, passed), now)
    },
  }

  function show(moment: Reading, now: Reading): Reading {
    shown = moment
    shownAt = now
    return moment
  }

  function plus(moment: Reading, passed: Reading): Reading {
    if (typeof moment === 'bigint') return moment + BigInt(passed)
    return clock === 'wall' ? Math.round(moment + Number(passed)) : moment + Number(passed)
  }
}

function minus(left: Reading, right: Reading): Reading {
  return typeof left === 'bigint' ? left - BigInt(right) : left - Number(right)
}
