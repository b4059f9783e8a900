/**
 * Numbers whose spelling JavaScript loses: to it `1.0` is 1 and `1e16` an integer, to Python's JSON they are other values
 * with another canonical text. The values stay plain; how such a member was written is kept beside the object that holds it.
 */
import { canonicalName } from './canonical-string.ts'
import { canonicalText } from './canonical-text.ts'
import { canonicalValue } from './canonical-value.ts'
import { sortKeys } from './code-point-order.ts'
import { decode } from './cursor.ts'
import { parseJson } from './parse-json.ts'
import { type Builder, readJson } from './read-json.ts'
import { type Json, type JsonObject, setMember } from './value.ts'

/** Canonical texts by the key or index of the member. */
type Spelling = ReadonlyMap<string, string>

const spellings = new WeakMap<object, Spelling>()

/** As `parseJson`; `spelledText` then gives the canonical text of what was written. Raises NOT_JSON as it does. */
export function parseSpelled(text: string): Json {
  return HAS_WHOLE_FLOAT.test(text) ? readJson(text, builder).value : parseJson(text)
}

/** A number with an exponent, or with nothing but zeros behind its point. In a string it only costs time. */
const HAS_WHOLE_FLOAT = /(?:^|[:,[\s])-?\d+(?:\.0+(?!\d)|(?:\.\d+)?[eE])/

/** The canonical text of a value, numbers as they were written where `parseSpelled` read them. */
export function spelledText(value: Json): string {
  if (typeof value !== 'object' || value === null) return canonicalValue(value)
  const spelling = spellings.get(value)
  const textAt = (key: string, member: Json): string => spelling?.get(key) ?? spelledText(member)
  if (Array.isArray(value)) return `[${value.map((item, at) => textAt(String(at), item)).join(',')}]`
  const object = value as JsonObject
  const members = sortKeys(Object.keys(object)).map(key => canonicalName(key) + textAt(key, object[key]!))
  return `{${members.join(',')}}`
}

/** A copy, or an object made of the same members, is spelled as its origin; `without` names members that were changed. */
export function keepSpelling(from: object, to: object, without: readonly string[] = []): void {
  const spelling = spellings.get(from)
  if (spelling === undefined) return
  const kept = [...spelling].filter(([key]) => Object.hasOwn(to, key) && !without.includes(key))
  if (kept.length > 0) spellings.set(to, new Map(kept))
}

/** A member that is put into another object under another name is spelled as it was. */
export function moveSpelling(from: object, name: string, to: object, newName: string): void {
  const text = spellings.get(from)?.get(name)
  if (text !== undefined) spellings.set(to, new Map([...(spellings.get(to) ?? []), [newName, text]]))
}

interface Read {
  readonly value: Json
  readonly spelled: string | null
}

const builder: Builder<Read> = {
  scalar: token => {
    const value = parseJson(token)
    const spelled = typeof value === 'number' ? canonicalText(token) : null
    return { value, spelled: spelled === null || spelled === canonicalValue(value) ? null : spelled }
  },
  string: token => ({ value: decode(token), spelled: null }),
  list: items => {
    const list = items.map(({ value }) => value)
    note(
      list,
      items.map((item, at) => [String(at), item]),
    )
    return { value: list, spelled: null }
  },
  object: members => {
    const object: Record<string, Json> = {}
    for (const [key, { value }] of members) setMember(object, key, value)
    // A Map keeps the last of duplicates, as the object does.
    note(object, new Map(members))
    return { value: object, spelled: null }
  },
}

function note(holder: object, members: Iterable<readonly [string, Read]>): void {
  const spelled = [...members].flatMap(([key, read]) =>
    read.spelled === null ? [] : [[key, read.spelled] as const],
  )
  if (spelled.length > 0) spellings.set(holder, new Map(spelled))
}
