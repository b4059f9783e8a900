/**
 * A replay: what clock and chance gave to the recorded run is given again, by label; what has no recorded value is as it
 * really is.
 */
import type { Served } from '../trace/determinism.ts'
import type { ReadClock } from './clock.ts'
import type { LabelOf } from './labels.ts'
import { countLoopTurns } from './loop-turns.ts'
import type { Chance } from './random.ts'
import { createSeededBytes } from './seeded-bytes.ts'
import { createServedClock } from './served-clock.ts'
import { createServedValues } from './served-values.ts'

export interface ChanceServer {
  readonly read: ReadClock
  readonly chance: Chance
  /** How much was given again: random values, and different moments. */
  served(): { readonly ids: number; readonly times: number }
}

export function createChanceServer(recorded: Served, labelOf: LabelOf): ChanceServer {
  const clock = createServedClock(recorded.read, labelOf, countLoopTurns())
  const numbers = createServedValues(
    recorded.drew.map(({ drew, values, ...label }) => ({ what: drew, ...label, values })),
  )
  const bytes = createServedValues(knownByLabel(recorded.bytes))
  const seeded = recorded.seed === null ? null : createSeededBytes(recorded.seed)
  let ids = 0
  return {
    read: clock.read,
    chance: {
      number: (api, entry) => {
        const label = labelOf(api, entry)
        const value = label === null ? undefined : numbers.next(api, label)
        if (value === undefined) return null
        return () => {
          ids++
          return value
        }
      },
      bytes: (api, entry) => {
        const label = labelOf(api, entry)
        const change = label === null ? null : (seeded?.(api, label) ?? withKnown(bytes.next(api, label)))
        if (change === null) return null
        return drawn => {
          change(drawn)
          ids++
        }
      },
    },
    served: () => ({ ids, times: clock.moments() }),
  }
}

type Known = readonly number[]

function withKnown(known: Known | undefined): ((drawn: Uint8Array) => void) | null {
  if (known === undefined) return null
  return drawn => {
    for (let i = 0; i < known.length; i += 2) drawn[known[i]!] = known[i + 1]!
  }
}

/** The draws of a label in their order; of most nothing is known. */
function knownByLabel(marked: Served['bytes']) {
  const labels = new Map<
    string,
    { what: string; interval: number; site: string; values: (Known | undefined)[] }
  >()
  for (const { drew, interval, site, nth, known } of marked) {
    const key = `${drew}\n${interval}\n${site}`
    const label = labels.get(key) ?? { what: drew, interval, site, values: [] }
    labels.set(key, label)
    label.values[nth] = [...(label.values[nth] ?? []), ...known]
  }
  return [...labels.values()]
}
