/**
 * A recording: what clock and chance give is given as it is, and kept by label. Readings and numbers are gathered until the
 * next fact of the journal; of drawn bytes only the places where they turn up in a payload are written.
 */
import type { Json } from '../json/value.ts'
import type { Clock, DeterminismLine, Label } from '../trace/determinism.ts'
import type { ReadClock } from './clock.ts'
import { createMarkFinder } from './find-marks.ts'
import type { LabelOf } from './labels.ts'
import type { Chance } from './random.ts'
import { createSeededBytes } from './seeded-bytes.ts'

export interface ChanceKeeper {
  readonly read: ReadClock
  readonly chance: Chance
  /** What was gathered since it was last asked. */
  take(): DeterminismLine[]
  /** Where drawn bytes stand in the redacted input of a call, or (null) in the run's output. */
  marks(call: number | null, payload: Json): DeterminismLine[]
}

/** With a seed random bytes are made of it, and are not looked for. */
export function createChanceKeeper(labelOf: LabelOf, seed: string | null): ChanceKeeper {
  let gathered = new Map<string, Label & { readonly what: string; readonly values: (number | bigint)[] }>()
  const finder = createMarkFinder()
  const bytesOf = seed === null ? finder.drew : createSeededBytes(seed)
  const keep = (what: string, label: Label, value: number | bigint): void => {
    const key = `${what}\n${label.interval}\n${label.site}`
    const known = gathered.get(key)
    if (known === undefined) gathered.set(key, { what, ...label, values: [value] })
    else known.values.push(value)
  }
  return {
    read: (clock, now, entry) => {
      const label = labelOf(clock, entry)
      // A loop that waits is not worth keeping, and goes on by itself in a replay.
      if (label !== null && label.site !== '') keep(clock, label, now)
      return now
    },
    chance: {
      number: (api, entry) => {
        const label = labelOf(api, entry)
        if (label === null) return null
        return drawn => {
          keep(api, label, drawn)
          return drawn
        }
      },
      bytes: (api, entry) => {
        const label = labelOf(api, entry)
        return label === null ? null : bytesOf(api, label)
      },
    },
    take: () => {
      if (gathered.size === 0) return []
      const lines = [...gathered.values()].map(lineOf)
      gathered = new Map()
      return lines
    },
    marks: finder.marks,
  }
}

const CLOCKS: readonly string[] = ['wall', 'instant', 'monotone', 'hrtime'] satisfies Clock[]

function lineOf({ what, interval, site, values }: Label & { what: string; values: (number | bigint)[] }) {
  return CLOCKS.includes(what)
    ? { read: what as Clock, interval, site, values }
    : { drew: what, interval, site, values: values as number[] }
}
