/**
 * Values that JSON lacks, by place: the value itself is plain JSON of a sensible form, and a mark says what stands there.
 * What each is written as is told in docs/format.md.
 */
export interface Mark {
  /** JSON Pointer into the plain value; '' is the whole of it. */
  readonly path: string
  readonly is: Kind
}

/** Bytes, written in base64. */
export const BYTES = ['ArrayBuffer', 'Buffer', 'DataView', 'Uint8Array', 'Uint8ClampedArray'] as const

/** Lists of numbers. */
export const NUMBERS = [
  'Int8Array',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
] as const

/** Lists of bigints. */
export const BIGINTS = ['BigInt64Array', 'BigUint64Array'] as const

/** `number`: NaN and the infinities. */
export const KINDS = [
  'undefined',
  'number',
  '-0',
  'bigint',
  'Date',
  'RegExp',
  'URL',
  'Map',
  'Set',
  'Error',
  ...BYTES,
  ...NUMBERS,
  ...BIGINTS,
] as const

export type Kind = (typeof KINDS)[number]

export type BytesKind = (typeof BYTES)[number]
export type NumbersKind = (typeof NUMBERS)[number]
export type BigintsKind = (typeof BIGINTS)[number]

export function isBytesKind(kind: Kind): kind is BytesKind {
  return (BYTES as readonly Kind[]).includes(kind)
}

export function isBigintsKind(kind: Kind): kind is BigintsKind {
  return (BIGINTS as readonly Kind[]).includes(kind)
}

/** The marks one level further in, or out: each with its path below another place. */
export function below(path: string, marks: readonly Mark[] = []): Mark[] {
  return marks.map(mark => ({ path: path + mark.path, is: mark.is }))
}
