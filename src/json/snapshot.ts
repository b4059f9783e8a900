import { StepforkError } from '../errors.ts'
import { type Json, MAX_DEPTH, setMember } from './value.ts'

/**
 * A copy of a runtime value as plain JSON, taken when a call is made, so that later changes by the agent reach
 * neither the recording nor the comparison. As JSON.stringify sees it: undefined members dropped, undefined in lists
 * and at the top null, `toJSON` honoured; but bigints stay, and what JSON would lose in silence (NaN, functions,
 * symbols, a Map) raises NOT_JSON naming the place, as `$.items[0].price`. Half of a surrogate pair, which a text cut in
 * the middle of an emoji ends with, becomes U+FFFD, as it does in every request that is sent as UTF-8.
 */
export function snapshot(value: unknown): Json {
  return copy(value, '', null) ?? null
}

/** The way from the top to a value; text is made of it only for an error. */
interface Place {
  readonly above: Place | null
  readonly key: string | number
  readonly holder: object
  readonly depth: number
}

function copy(value: unknown, key: string, place: Place | null): Json | undefined {
  switch (typeof value) {
    case 'string':
      return wellFormed(value)
    case 'boolean':
    case 'bigint':
    case 'undefined':
      return value
    case 'number':
      return Number.isFinite(value) ? value : refuse(place, `${value} is not a JSON number`)
    case 'function':
    case 'symbol':
      return refuse(place, `a ${typeof value} has no JSON form`)
    case 'object':
      return value === null ? null : copyObject(value, key, place)
  }
}

function copyObject(value: object, key: string, place: Place | null): Json | undefined {
  if (isHeldBy(value, place)) refuse(place, 'the value holds itself')
  if (place !== null && place.depth >= MAX_DEPTH)
    refuse(place, `it is nested deeper than ${MAX_DEPTH} levels`)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return copyConverted(value.toJSON(key), value, key, place)
  }
  return Array.isArray(value) ? copyList(value, place) : copyMembers(value, key, place)
}

/** Only nesting of the same object can be endless; the walk up is short, as values are flat. */
function isHeldBy(value: object, place: Place | null): boolean {
  for (let at = place; at !== null; at = at.above) if (at.holder === value) return true
  return false
}

/** What `toJSON` gives is not asked for its own `toJSON` again. */
function copyConverted(converted: unknown, from: object, key: string, place: Place | null): Json | undefined {
  if (typeof converted !== 'object' || converted === null) return copy(converted, key, place)
  if (converted !== from && isHeldBy(converted, place)) refuse(place, 'the value holds itself')
  return Array.isArray(converted) ? copyList(converted, place) : copyMembers(converted, key, place)
}

function copyList(list: readonly unknown[], place: Place | null): Json {
  const items: Json[] = []
  for (let at = 0; at < list.length; at++) {
    items.push(copy(list[at], String(at), below(place, at, list)) ?? null)
  }
  return items
}

function copyMembers(value: object, key: string, place: Place | null): Json | undefined {
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return copy(value.valueOf(), key, place)
  }
  const members: Record<string, Json> = {}
  const keys = Object.keys(value)
  if (keys.length === 0 && !isPlain(value))
    refuse(place, `${nameOf(value)} has no JSON form: it would become {}`)
  for (const name of keys) {
    const member = copy((value as Record<string, unknown>)[name], name, below(place, name, value))
    if (member !== undefined) setMember(members, wellFormed(name), member)
  }
  return members
}

const LONE_SURROGATE = /\p{Surrogate}/gu

function wellFormed(text: string): string {
  return text.search(LONE_SURROGATE) === -1 ? text : text.replace(LONE_SURROGATE, '\ufffd')
}

function below(above: Place | null, key: string | number, holder: object): Place {
  return { above, key, holder, depth: (above?.depth ?? 0) + 1 }
}

/** An object literal, also one of another realm, or a list of bytes. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null || ArrayBuffer.isView(value)
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of this class'
}

function refuse(place: Place | null, why: string): never {
  throw new StepforkError(
    'NOT_JSON',
    `${why} (at ${pathOf(place)})`,
    'Pass plain data, or give the object a toJSON method.',
  )
}

function pathOf(place: Place | null): string {
  if (place === null) return '$'
  const above = pathOf(place.above)
  if (typeof place.key === 'number') return `${above}[${place.key}]`
  return /^[A-Za-z_$][\w$]*$/.test(place.key)
    ? `${above}.${place.key}`
    : `${above}[${JSON.stringify(place.key)}]`
}
