import { types } from 'node:util'
import { BIGINTS, BYTES, type Kind, NUMBERS } from './mark.ts'

/** What an object is of the kinds that come back as they were, also one of another realm; null for all others. */
export function kindOf(value: object): Kind | null {
  const kind = builtInKind(value)
  if (kind === null || kind === 'Error' || !('toJSON' in value)) return kind
  // A class that extends a built-in one and says how it is written is written so.
  return classOf(value) === kind ? kind : null
}

/** Errors of another realm (a `vm` context, as test runners use them) are no instances of this one's Error. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value)
}

/** The name of an object's class; '' when it has none. */
export function classOf(value: object): string {
  const name: unknown = value.constructor?.name
  return typeof name === 'string' ? name : ''
}

function builtInKind(value: object): Kind | null {
  if (types.isDate(value)) return 'Date'
  if (types.isMap(value)) return 'Map'
  if (types.isSet(value)) return 'Set'
  if (types.isRegExp(value)) return 'RegExp'
  if (isError(value)) return 'Error'
  if (value instanceof URL) return 'URL'
  if (types.isArrayBuffer(value)) return 'ArrayBuffer'
  return ArrayBuffer.isView(value) ? viewKind(value) : null
}

const VIEWS: readonly string[] = [...BYTES, ...NUMBERS, ...BIGINTS]

function viewKind(view: ArrayBufferView): Kind | null {
  if (Buffer.isBuffer(view)) return 'Buffer'
  // A getter of all typed arrays, which tells the true type of a subclass, too.
  const name = (view as unknown as { [Symbol.toStringTag]: string })[Symbol.toStringTag]
  return VIEWS.includes(name) ? (name as Kind) : null
}
