import { StepforkError } from '../errors.ts'
import { classOf, kindOf } from './kind-of.ts'
import type { Kind, Mark } from './mark.ts'
import { isHeldBy, type Place, pathOf, placeBelow, pointerOf } from './place.ts'
import { type Keep, plainForm } from './plain-form.ts'
import { isBuiltInError } from './rebuild-error.ts'
import { type Json, MAX_DEPTH, setMember } from './value.ts'

/** A value as plain JSON, and what `revive` (revive.ts) needs to make it again what it was. */
export interface Carried {
  readonly value: Json
  /** From the outside in. */
  readonly marks: readonly Mark[]
  /** What does not come back: the first object that is more than its data, as `a Money (at $.price)`. */
  readonly lost: string | null
}

/**
 * A copy of a runtime value as plain JSON, taken when a call is made, so that later changes by the agent reach
 * neither the recording nor the comparison. Undefined members are dropped and `toJSON` is honoured, as JSON.stringify
 * does it; what it loses and `Kind` has a word for is marked. Anything else without a JSON form (functions, symbols, a
 * promise, a value that holds itself) raises NOT_JSON naming the place, as `$.items[0].price`. Half of a surrogate pair,
 * which a text cut in the middle of an emoji ends with, becomes U+FFFD, as in every request that is sent as UTF-8.
 */
export function carry(raw: unknown): Carried {
  const marks: Mark[] = []
  const walk: Walk = { marks, lost: null }
  const value = copyItem(raw, '', null, walk)
  return { value, marks, lost: walk.lost }
}

/**
 * As `carry`, for what is never made again what it was: marks nothing, so NaN, a Map and the like raise NOT_JSON, too, a
 * Date is its text, and undefined in lists and at the top null. Bigints stay.
 */
export function snapshot(raw: unknown): Json {
  return copyItem(raw, '', null, { marks: null, lost: null })
}

interface Walk {
  readonly marks: Mark[] | null
  lost: string | null
}

interface MarkingWalk extends Walk {
  readonly marks: Mark[]
}

/** Of a list, or the whole: what JSON leaves out is null there. */
function copyItem(value: unknown, key: string, place: Place | null, walk: Walk): Json {
  if (value !== undefined) return copy(value, key, place, walk) ?? null
  walk.marks?.push({ path: pointerOf(place), is: 'undefined' })
  return null
}

function copy(value: unknown, key: string, place: Place | null, walk: Walk): Json | undefined {
  switch (typeof value) {
    case 'string':
      return wellFormed(value)
    case 'boolean':
    case 'undefined':
      return value
    case 'bigint':
      walk.marks?.push({ path: pointerOf(place), is: 'bigint' })
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : copyOddNumber(value, place, walk)
    case 'function':
    case 'symbol':
      return refuse(place, `a ${typeof value} has no JSON form`)
    case 'object':
      return value === null ? null : copyObject(value, key, place, walk)
  }
}

function copyOddNumber(value: number, place: Place | null, { marks }: Walk): Json {
  if (value === 0) {
    marks?.push({ path: pointerOf(place), is: '-0' })
    return 0
  }
  if (marks === null) return refuse(place, `${value} is not a JSON number`)
  marks.push({ path: pointerOf(place), is: 'number' })
  return String(value)
}

function copyObject(value: object, key: string, place: Place | null, walk: Walk): Json | undefined {
  if (isHeldBy(value, place)) refuse(place, 'the value holds itself')
  if (place !== null && place.depth >= MAX_DEPTH)
    refuse(place, `it is nested deeper than ${MAX_DEPTH} levels`)
  const { marks } = walk
  const kind = marks === null || Array.isArray(value) || isPlain(value) ? null : kindOf(value)
  if (kind !== null) return copyMarked(kind, value, place, walk as MarkingWalk)
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    noteLost(value, place, walk)
    return copyConverted(value.toJSON(key), value, key, place, walk)
  }
  return Array.isArray(value) ? copyList(value, place, walk) : copyMembers(value, key, place, walk)
}

/** What comes back as it was; of a class that extends a built-in one only that one does. */
function copyMarked(kind: Kind, value: object, place: Place | null, walk: MarkingWalk): Json {
  const isBuiltIn = kind === 'Error' ? isBuiltInError(classOf(value)) : classOf(value) === kind
  if (!isBuiltIn) noteLost(value, place, walk)
  walk.marks.push({ path: pointerOf(place), is: kind })
  return plainForm(kind, value, keepBelow(value, place, walk))
}

/** What is inside a Map costs more of the stack than a member does. */
const DEEP = 4

function keepBelow(holder: object, place: Place | null, walk: MarkingWalk): Keep {
  const { marks } = walk
  const placeOf = (path: readonly (string | number)[]): Place | null =>
    path.reduce<Place | null>((above, key) => placeBelow(above, key, holder, DEEP), place)
  return {
    item: (value, path) => copyItem(value, String(path.at(-1)), placeOf(path), walk),
    member: (value, path) => {
      const before = marks.length
      try {
        return copy(value, String(path.at(-1)), placeOf(path), walk)
      } catch {
        // A member of an error that has no JSON form (a socket, a request) is not part of the recording.
        marks.length = before
        return undefined
      }
    },
  }
}

/** What `toJSON` gives is not asked for its own `toJSON` again. */
function copyConverted(
  converted: unknown,
  from: object,
  key: string,
  place: Place | null,
  walk: Walk,
): Json | undefined {
  if (typeof converted !== 'object' || converted === null) return copy(converted, key, place, walk)
  if (converted !== from && isHeldBy(converted, place)) refuse(place, 'the value holds itself')
  return Array.isArray(converted)
    ? copyList(converted, place, walk)
    : copyMembers(converted, key, place, walk)
}

function copyList(list: readonly unknown[], place: Place | null, walk: Walk): Json {
  const items: Json[] = []
  for (let at = 0; at < list.length; at++) {
    items.push(copyItem(list[at], String(at), placeBelow(place, at, list), walk))
  }
  return items
}

function copyMembers(value: object, key: string, place: Place | null, walk: Walk): Json | undefined {
  const plain = isPlain(value)
  if (!plain && hasClassMembers(value)) noteLost(value, place, walk)
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return copy(value.valueOf(), key, place, walk)
  }
  const members: Record<string, Json> = {}
  const keys = Object.keys(value)
  if (keys.length === 0 && !plain && !ArrayBuffer.isView(value))
    refuse(place, `${nameOf(value)} has no JSON form: it would become {}`)
  for (const name of keys) {
    const written = wellFormed(name)
    const member = copy(
      (value as Record<string, unknown>)[name],
      name,
      placeBelow(place, written, value),
      walk,
    )
    if (member !== undefined) setMember(members, written, member)
  }
  return members
}

const LONE_SURROGATE = /\p{Surrogate}/gu

function wellFormed(text: string): string {
  return text.search(LONE_SURROGATE) === -1 ? text : text.replace(LONE_SURROGATE, '\ufffd')
}

/** An object literal, also one of another realm. */
function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The last prototype is that of all objects, whichever realm it is of. A class with data only loses nothing that can be called. */
function hasClassMembers(value: object): boolean {
  for (let at = prototypeOf(value); at !== null; at = prototypeOf(at)) {
    if (prototypeOf(at) === null) return false
    if (Reflect.ownKeys(at).some(key => key !== 'constructor')) return true
  }
  return false
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null
}

function noteLost(value: object, place: Place | null, walk: Walk): void {
  if (walk.marks !== null) walk.lost ??= `${nameOf(value)} (at ${pathOf(place)})`
}

function nameOf(value: object): string {
  const name = classOf(value)
  if (name === 'Object') return 'an object with toJSON'
  return name === '' ? 'an object of a class' : `a ${name}`
}

function refuse(place: Place | null, why: string): never {
  throw new StepforkError(
    'NOT_JSON',
    `${why} (at ${pathOf(place)})`,
    'Pass plain data, or give the object a toJSON method.',
  )
}
