/**
 * The recorded clock: a reading gives what the same place read in the same interval. A read more elsewhere shifts nothing: it
 * is given the last moment again, as long as recorded readings are still to come. Behind them, and for code that waits for
 * time to pass, the clock goes on as the real one does, and never backwards.
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

/** `turn` tells turns of the event loop apart. */
export function createServedClock(
  recorded: readonly ReadLine[],
  labelOf: LabelOf,
  turn: () => number,
): ServedClock {
  const values = createServedValues<Reading>(recorded.map(({ read, ...line }) => ({ what: read, ...line })))
  const hands = new Map<Clock, Hands>()
  for (const { read } of recorded) if (!hands.has(read)) hands.set(read, createHands(read, recorded, turn))
  const moments = new Set<Reading>()
  return { read: read as ReadClock, moments: () => moments.size }

  function read(clock: Clock, now: Reading, entry: (...args: never[]) => unknown): Reading {
    const hand = hands.get(clock)
    const label = hand === undefined ? null : labelOf(clock, entry)
    if (hand === undefined || label === null) return now
    const known = values.next(clock, label)
    if (known === undefined) return hand.between(now, label.site)
    if (clock === 'wall' || clock === 'instant') moments.add(known)
    return hand.at(sameKind(known, now), now)
  }
}

/** Nanoseconds are bigints in the process, and in JSON as large as they need to be. */
function sameKind(known: Reading, now: Reading): Reading {
  if (typeof now === 'number') return Number(known)
  return typeof known === 'bigint' ? known : BigInt(Math.trunc(known))
}

interface Hands {
  /** A recorded reading. */
  at(known: Reading, now: Reading): Reading
  /** One that the recording does not have. */
  between(now: Reading, site: string): Reading
}

/** For so many turns of the event loop the clock stands; code that waits for time to pass reads on. */
const PATIENCE = 20

function createHands(clock: Clock, recorded: readonly ReadLine[], turn: () => number): Hands {
  const readings = recorded.filter(({ read }) => read === clock).flatMap(({ values }) => values)
  const [first] = [...readings].sort((left, right) => (left < right ? -1 : 1))
  let left = readings.length
  let shown: Reading | undefined
  let shownAt: Reading = 0
  let stoodIn = -1
  let stood = 0
  return {
    at: (known, now) => {
      left--
      stood = 0
      return show(shown === undefined || known > shown ? known : shown, now)
    },
    between: (now, site) => {
      if (shown === undefined) return show(sameKind(first!, now), now)
      // A thousand readings in an interval are a loop that waits, too.
      const isStanding = left > 0 && site !== '' && stands()
      return isStanding ? shown : show(later(shown, now), now)
    },
  }

  function stands(): boolean {
    const now = turn()
    if (now !== stoodIn) stood++
    stoodIn = now
    return stood <= PATIENCE
  }

  function show(moment: Reading, now: Reading): Reading {
    shown = moment
    shownAt = now
    return moment
  }

  function later(moment: Reading, now: Reading): Reading {
    if (typeof moment === 'bigint') return moment + BigInt(now) - BigInt(shownAt)
    const passed = moment + Number(now) - Number(shownAt)
    return clock === 'wall' ? Math.round(passed) : passed
  }
}
