import type { Label } from '../trace/determinism.ts'

/** Recorded values of one label, in their order. */
export interface LabelledValues<T> extends Label {
  readonly what: string
  readonly values: readonly (T | undefined)[]
}

export interface ServedValues<T> {
  /** The recorded value of the next draw of a label; undefined when there is none. */
  next(what: string, label: Label): T | undefined
}

interface Group<T> {
  readonly interval: number
  readonly values: (T | undefined)[]
  taken: number
}

/**
 * Values given again in their order, label by label. What is drawn in an interval that has no more of them takes what was
 * left over in an earlier one: a timer that was faster than an answer may now be slower, as answers come at once.
 */
export function createServedValues<T>(recorded: readonly LabelledValues<T>[]): ServedValues<T> {
  const places = new Map<string, Group<T>[]>()
  for (const { what, interval, site, values } of recorded) {
    const groups = places.get(`${what}\n${site}`) ?? []
    places.set(`${what}\n${site}`, groups)
    const group = groups.find(one => one.interval === interval)
    if (group === undefined) groups.push({ interval, values: [...values], taken: 0 })
    else for (const value of values) group.values.push(value)
  }
  return {
    next: (what, { interval, site }) => {
      const groups = places.get(`${what}\n${site}`) ?? []
      const left = groups.filter(group => group.interval <= interval && group.taken < group.values.length)
      const group = left.find(one => one.interval === interval) ?? left[0]
      return group === undefined ? undefined : group.values[group.taken++]
    },
  }
}
