import { errorRecord } from './error-record.ts'
import { isBigintsKind, isBytesKind, type Kind } from './mark.ts'
import { type Json, setMember } from './value.ts'

/** Copies what stands below a value, at `path` of its plain form. */
export interface Keep {
  item(value: unknown, path: readonly (string | number)[]): Json
  /** Undefined for what cannot be kept. */
  member(value: unknown, path: readonly (string | number)[]): Json | undefined
}

/** The plain JSON that an object of this kind is written as (docs/format.md); `rebuilt` of revive.ts reads it again. */
export function plainForm(kind: Kind, value: object, keep: Keep): Json {
  switch (kind) {
    case 'Date':
      return isoText(value as Date)
    case 'RegExp':
    case 'URL':
      return String(value)
    case 'Map':
      return mapForm(value as Map<unknown, unknown>, keep)
    case 'Set':
      return Array.from(value as Set<unknown>, (item, at) => keep.item(item, [at]))
    case 'Error':
      return errorRecord(value as Error, keep.member) as unknown as Json
    default:
      return isBytesKind(kind)
        ? bytesForm(value as ArrayBuffer | ArrayBufferView)
        : listForm(kind, value, keep)
  }
}

/** Null for a date that is none, as in JSON. */
function isoText(date: Date): string | null {
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/**
 * An object where all keys are names; else a list, `{ key: value }` for an entry with a text as its key and `[key, value]`
 * for any other: so a value under the name of a secret always stands under it.
 */
function mapForm(map: ReadonlyMap<unknown, unknown>, keep: Keep): Json {
  const keys = [...map.keys()]
  if (!keys.every(isName)) return Array.from(map, (entry, at) => entryForm(entry, at, keep))
  const members: Record<string, Json> = {}
  for (const key of keys) setMember(members, key, keep.item(map.get(key), [key]))
  return members
}

/** An index would not keep its place among the members of an object, and half of a surrogate pair no name of its own. */
function isName(key: unknown): key is string {
  return typeof key === 'string' && !/^\d+$|\p{Surrogate}/u.test(key)
}

function entryForm([key, value]: readonly [unknown, unknown], at: number, keep: Keep): Json {
  if (typeof key !== 'string') return [keep.item(key, [at, 0]), keep.item(value, [at, 1])]
  const name = key.replace(/\p{Surrogate}/gu, '\ufffd')
  const entry: Record<string, Json> = {}
  setMember(entry, name, keep.item(value, [at, name]))
  return entry
}

function bytesForm(value: ArrayBuffer | ArrayBufferView): string {
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value)
  return bytes.toString('base64')
}

function listForm(kind: Kind, value: object, keep: Keep): Json {
  if (isBigintsKind(kind)) return Array.from(value as BigInt64Array)
  return Array.from(value as Float64Array, (number, at) =>
    Number.isFinite(number) && !Object.is(number, -0) ? number : keep.item(number, [at]),
  )
}
