/** A JSON value as one line, with a space after `:` and `,`, as the reports print it. */
import { type MarkedValue, markedValue } from '../json/marked.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { type SafeOptions, safeJson } from './safe-text.ts'

/** Columns of one payload in piped output, where lines have no end: past this it is no longer read by anyone. */
export const SANE_LIMIT = 2000

/**
 * The value on one line, safe to print. Stops soon after `limit` characters, whatever the size of the value, so
 * that a report of a 100 MB payload costs nothing: who shows it cuts it to its columns.
 */
export function valueText(value: Json, limit: number, options: SafeOptions): string {
  const out: string[] = []
  write(value, { left: limit + 1, out, options })
  return out.join('')
}

/** The kind of a value in plain words, for when two values look alike. */
export function typeWord(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'boolean':
      return 'true or false'
    case 'number':
    case 'bigint':
      return 'number'
    case 'object':
      return 'object'
  }
}

interface Writing {
  left: number
  readonly out: string[]
  readonly options: SafeOptions
}

function write(value: Json, at: Writing): void {
  if (at.left <= 0) return
  const special = markedValue(value)
  if (special !== null) writeMarked(special, at)
  else if (typeof value === 'string') putString(value, at)
  else if (Array.isArray(value)) writeAll('[', ']', value, at, item => write(item, at))
  else if (isJsonObject(value)) {
    writeAll('{', '}', Object.keys(value), at, key => {
      putString(key, at)
      put(': ', at)
      write(value[key]!, at)
    })
  } else put(Object.is(value, -0) ? '0' : String(value), at)
}

/** As one would write it in code: `Date("2026-12-01T08:00:00.000Z")`, `NaN`. */
function writeMarked({ is, plain }: MarkedValue, at: Writing): void {
  if (is === 'undefined') put(is, at)
  else if (is === 'number') put(safeJson(String(plain), at.options), at)
  else {
    put(`${safeJson(is, at.options)}(`, at)
    write(plain, at)
    put(')', at)
  }
}

function writeAll<T>(
  open: string,
  close: string,
  items: readonly T[],
  at: Writing,
  one: (item: T) => void,
): void {
  put(open, at)
  for (const [index, item] of items.entries()) {
    if (at.left <= 0) return
    if (index > 0) put(', ', at)
    one(item)
  }
  put(close, at)
}

/** Cut before it is escaped: escaping a megabyte to show a line of it would be the whole cost of the report. */
function putString(text: string, at: Writing): void {
  const all = text.length <= at.left
  const quoted = JSON.stringify(all ? text : text.slice(0, at.left))
  put(safeJson(all ? quoted : quoted.slice(0, -1), at.options), at)
}

function put(text: string, at: Writing): void {
  at.out.push(text)
  at.left -= text.length
}
