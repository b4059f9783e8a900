import { canonicalValue } from './canonical-value.ts'
import type { Kind, Mark } from './mark.ts'
import { isJsonObject, type Json, type JsonObject, setMember } from './value.ts'

const IS = '\0is'
const PLAIN = '\0plain'

/**
 * A plain value in the form in which it is compared: what is marked stands in an object beside its kind, so that a Date is
 * not its text. The names of its members begin with NUL, which no others do by chance. Numbers are equal when their values
 * are, so bigints and -0 stay as they are; the order of a Set's items and of a Map's entries is free.
 */
export function marked(plain: Json, marks: readonly Mark[] = []): Json {
  if (marks.length === 0) return plain
  const kinds = new Map(marks.map(({ path, is }) => [path, is]))
  return wrapped(plain, '', kinds)
}

export interface MarkedValue {
  readonly is: string
  readonly plain: Json
}

/** The kind and the plain form of what `marked` has set apart; null for a plain value. */
export function markedValue(value: Json): MarkedValue | null {
  if (!isJsonObject(value) || !Object.hasOwn(value, IS)) return null
  return { is: String(value[IS]), plain: value[PLAIN] ?? null }
}

export function isMarkName(key: string | number): boolean {
  return typeof key === 'string' && key.charCodeAt(0) === 0
}

function wrapped(value: Json, path: string, kinds: ReadonlyMap<string, Kind>): Json {
  const is = kinds.get(path)
  const below = wrappedBelow(value, path, kinds)
  if (is === undefined || is === 'bigint' || is === '-0') return below
  const isFree = (is === 'Set' || is === 'Map') && Array.isArray(below)
  return { [IS]: is, [PLAIN]: isFree ? inOrder(below) : below }
}

function wrappedBelow(value: Json, path: string, kinds: ReadonlyMap<string, Kind>): Json {
  if (Array.isArray(value)) return value.map((item, at) => wrapped(item, `${path}/${at}`, kinds))
  return isJsonObject(value) ? wrappedMembers(value, path, kinds) : value
}

function wrappedMembers(value: JsonObject, path: string, kinds: ReadonlyMap<string, Kind>): Json {
  const members: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const part = key.replaceAll('~', '~0').replaceAll('/', '~1')
    setMember(members, key, wrapped(value[key]!, `${path}/${part}`, kinds))
  }
  return members
}

function inOrder(items: readonly Json[]): readonly Json[] {
  const named = items.map(item => [canonicalValue(item), item] as const)
  return named.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item)
}

/** Integers beyond 2^53 as the numbers they were, but for the bigints: in a file the two look alike. */
export function asRead(plain: Json, marks: readonly Mark[]): Json {
  const bigints = marks.filter(
    ({ is }) => is === 'bigint' || is === 'BigInt64Array' || is === 'BigUint64Array',
  )
  return numbersIn(plain, '', new Set(bigints.map(({ path }) => path)))
}

function numbersIn(value: Json, path: string, bigints: ReadonlySet<string>): Json {
  if (bigints.has(path)) return value
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map((item, at) => numbersIn(item, `${path}/${at}`, bigints))
  if (!isJsonObject(value)) return value
  const members: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const part = key.replaceAll('~', '~0').replaceAll('/', '~1')
    setMember(members, key, numbersIn(value[key]!, `${path}/${part}`, bigints))
  }
  return members
}
