import type { Label } from '../trace/determinism.ts'
import { codeSite } from './code-site.ts'

export interface LabelOptions {
  /** Number of the last delivery. */
  readonly interval: () => number
  /** The code that runs now is part of a call that is executed. */
  readonly isInsideCall: () => boolean
}

/**
 * The label of what is asked for now by the caller of `entry`; null for what is neither kept nor served: Node's own doing,
 * and that of a call which is executed.
 */
export type LabelOf = (api: string, entry: (...args: never[]) => unknown) => Label | null

/** The place in the code takes microseconds to find: so many of an API and interval have it. */
const MOST_WITH_SITE = 1000

/** Beyond this an interval, or a run, is neither kept nor served. */
const MOST_OF_INTERVAL = 10_000
const MOST = 100_000

export function createLabels({ interval, isInsideCall }: LabelOptions): LabelOf {
  const counts = new Map<string, number>()
  let counted = 0
  let all = 0
  return (api, entry) => {
    if (all >= MOST || isInsideCall()) return null
    const now = interval()
    if (now !== counted) counts.clear()
    counted = now
    const asked = counts.get(api) ?? 0
    if (asked >= MOST_OF_INTERVAL) return null
    const site = asked >= MOST_WITH_SITE ? '' : codeSite(entry)
    if (site === null) return null
    counts.set(api, asked + 1)
    all++
    return { interval: now, site }
  }
}
