import {
  type BigintsKind,
  type BytesKind,
  isBigintsKind,
  isBytesKind,
  type Kind,
  type NumbersKind,
} from './mark.ts'
import { readErrorRecord } from './read-error-record.ts'
import { type ErrorClass, rebuildError } from './rebuild-error.ts'
import { isJsonObject, type Json } from './value.ts'

/**
 * A value of this kind, made of its plain form (plain-form.ts), in which what stands below it was made already. Throws for a
 * form that is none of the kind: both may come from anyone.
 */
export function made(kind: Kind, plain: Json, classes: readonly ErrorClass[]): unknown {
  switch (kind) {
    case 'undefined':
      return plain === null ? undefined : unfit()
    case 'number':
      return plain === 'NaN' || plain === 'Infinity' || plain === '-Infinity' ? Number(plain) : unfit()
    case '-0':
      return plain === 0 ? -0 : unfit()
    case 'bigint':
      return bigintOf(plain)
    case 'Date':
      return dateOf(plain)
    case 'RegExp':
      return regExpOf(textOf(plain))
    case 'URL':
      return new URL(textOf(plain))
    case 'Map':
      return new Map(entriesOf(plain))
    case 'Set':
      return new Set(listOf(plain))
    case 'Error':
      return rebuildError(readErrorRecord(plain) ?? unfit(), classes)
    default:
      if (isBytesKind(kind)) return bytesOf(kind, textOf(plain))
      return isBigintsKind(kind)
        ? filled(BIGINT_LISTS[kind], listOf(plain).map(bigintOf))
        : filled(numberList(kind), listOf(plain))
  }
}

function unfit(): never {
  throw new TypeError('the plain form does not fit')
}

function textOf(plain: Json): string {
  return typeof plain === 'string' ? plain : unfit()
}

function listOf(plain: Json): readonly Json[] {
  return Array.isArray(plain) ? plain : unfit()
}

function bigintOf(plain: Json): bigint {
  if (typeof plain === 'bigint') return plain
  return typeof plain === 'number' && Number.isInteger(plain) ? BigInt(plain) : unfit()
}

function dateOf(plain: Json): Date {
  if (plain === null) return new Date(Number.NaN)
  const date = new Date(textOf(plain))
  return date.toISOString() === plain ? date : unfit()
}

function regExpOf(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return text.startsWith('/') && end > 0 ? new RegExp(text.slice(1, end), text.slice(end + 1)) : unfit()
}

function entriesOf(plain: Json): [unknown, unknown][] {
  return Array.isArray(plain) ? plain.flatMap(entryOf) : Object.entries(isJsonObject(plain) ? plain : unfit())
}

function entryOf(entry: Json): [unknown, unknown][] {
  if (Array.isArray(entry)) return entry.length === 2 ? [[entry[0], entry[1]]] : unfit()
  const named = Object.entries(isJsonObject(entry) ? entry : unfit())
  return named.length === 1 ? named : unfit()
}

function bytesOf(kind: BytesKind, text: string): unknown {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) unfit()
  if (kind === 'Buffer') return bytes
  // A copy: what comes from a Buffer may share the memory of others.
  const { buffer } = new Uint8Array(bytes)
  switch (kind) {
    case 'ArrayBuffer':
      return buffer
    case 'DataView':
      return new DataView(buffer)
    case 'Uint8Array':
      return new Uint8Array(buffer)
    case 'Uint8ClampedArray':
      return new Uint8ClampedArray(buffer)
  }
}

type ListClass<T> = new (items: readonly T[]) => ArrayLike<T>

const BIGINT_LISTS: Readonly<Record<BigintsKind, ListClass<bigint>>> = { BigInt64Array, BigUint64Array }

const NUMBER_LISTS: Readonly<Record<Exclude<NumbersKind, 'Float16Array'>, ListClass<number>>> = {
  Int8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
}

/** Node 20 and 22 have no Float16Array: there its numbers come in the next larger one. */
function numberList(kind: NumbersKind): ListClass<number> {
  if (kind !== 'Float16Array') return NUMBER_LISTS[kind]
  return (globalThis as { Float16Array?: ListClass<number> }).Float16Array ?? Float32Array
}

/** Items that the list would not hold as they are were never in one. */
function filled<T>(List: ListClass<T>, items: readonly unknown[]): ArrayLike<T> {
  const list = new List(items as readonly T[])
  return items.every((item, at) => Object.is(item, list[at])) ? list : unfit()
}
