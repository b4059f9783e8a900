/** Where a check of an unknown value stands, and where it reports to; pointers are only written when something is wrong. */
import { pointer } from '../json/pointer.ts'
import { isJsonObject } from '../json/value.ts'
import type { ShapeProblem } from './shape-error.ts'

export interface Place {
  readonly above: Place | null
  readonly key: string | number
  readonly problems: ShapeProblem[]
  /** For a line of a text. */
  readonly line: number | null
}

export function topPlace(problems: ShapeProblem[], line: number | null = null): Place {
  return { above: null, key: '', problems, line }
}

export function below(above: Place, key: string | number): Place {
  return { above, key, problems: above.problems, line: above.line }
}

/** Notes a problem; gives null, as there is no good value. */
export function refuse(place: Place, message: string): null {
  place.problems.push({
    path: pathOf(place),
    message,
    ...(place.line !== null && { line: place.line }),
  })
  return null
}

export function pathOf(place: Place): string {
  const parts: (string | number)[] = []
  for (let at = place; at.above !== null; at = at.above) parts.unshift(at.key)
  return pointer(parts)
}

export interface Members {
  readonly [name: string]: unknown
}

/** An object of which only own members are looked at; null, and a problem, for anything else. */
export function objectAt(value: unknown, place: Place): Members | null {
  return isJsonObject(value) ? (value as unknown as Members) : refuse(place, 'must be an object')
}

/** A member that must be there, by the checker that reads it. */
export function required<T>(
  object: Members,
  name: string,
  place: Place,
  read: (value: unknown, place: Place) => T | null,
): T | null {
  if (Object.hasOwn(object, name) && object[name] !== undefined) return read(object[name], below(place, name))
  return refuse(below(place, name), 'is missing')
}

/** A member that may be missing or null. */
export function optional<T, D>(
  object: Members,
  name: string,
  place: Place,
  fallback: D,
  read: (value: unknown, place: Place) => T | null,
): T | D | null {
  const value = Object.hasOwn(object, name) ? object[name] : null
  return value === null || value === undefined ? fallback : read(value, below(place, name))
}

export function refuseUnknown(object: Members, known: readonly string[], place: Place): void {
  for (const name of Object.keys(object))
    if (!known.includes(name) && object[name] !== undefined)
      refuse(below(place, name), `is unknown here; known are ${known.join(', ')}`)
}

export function textAt(value: unknown, place: Place): string | null {
  if (typeof value !== 'string') return refuse(place, 'must be a text')
  return LONE_SURROGATE.test(value) ? refuse(place, 'holds half of a surrogate pair') : value
}

const LONE_SURROGATE = /\p{Surrogate}/u

export function nameAt(value: unknown, place: Place): string | null {
  return value === '' ? refuse(place, 'must not be empty') : textAt(value, place)
}
