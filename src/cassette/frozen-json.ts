import { keepSpelling } from '../json/spelling.ts'
import { type Json, type JsonObject, MAX_DEPTH, setMember } from '../json/value.ts'
import { below, type Members, type Place, refuse, textAt } from './place.ts'

/**
 * A deeply frozen copy of a JSON value, so that nobody who had a hand on it can change it. Undefined members are dropped;
 * what is no JSON (a number that is not finite, half of a surrogate pair, a function, a class instance) is a problem.
 */
export function frozenJson(value: unknown, place: Place, depth = 0): Json | null {
  switch (typeof value) {
    case 'string':
      return textAt(value, place)
    case 'number':
      return Number.isFinite(value) ? value : refuse(place, `must be JSON, and ${value} is not`)
    case 'boolean':
    case 'bigint':
      return value
    case 'object':
      return value === null ? null : frozenObject(value, place, depth)
    case 'undefined':
    case 'function':
    case 'symbol':
      return refuse(place, `must be JSON, and a value of type ${typeof value} is not`)
  }
}

/** The same for what must be an object. */
export function frozenMembers(value: unknown, place: Place): JsonObject | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse(place, 'must be an object')
  return frozenObject(value, place, 0) as JsonObject | null
}

function frozenObject(value: object, place: Place, depth: number): Json | null {
  if (depth >= MAX_DEPTH) return refuse(place, `is nested deeper than ${MAX_DEPTH} levels`)
  if (!Array.isArray(value)) return frozenPlain(value, place, depth)
  const list = value.map((item: unknown, at) => frozenJson(item, below(place, at), depth + 1))
  keepSpelling(value, list)
  return Object.freeze(list)
}

function frozenPlain(value: object, place: Place, depth: number): Json | null {
  if (!isPlain(value)) return refuse(place, 'must be JSON: plain objects and lists')
  const copy: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value as Members)) {
    if (member !== undefined) setMember(copy, name, frozenJson(member, below(place, name), depth + 1))
  }
  keepSpelling(value, copy)
  return Object.freeze(copy)
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
