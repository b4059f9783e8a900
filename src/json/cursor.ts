import { StepforkError } from '../errors.ts'
import { MAX_DEPTH } from './value.ts'

/** A place in a JSON text that is being read; the functions below read one token each and move it on. */
export interface Cursor {
  readonly text: string
  /** A text without any control character, as most are, spares a check on each string. */
  readonly hasControls: boolean
  at: number
  depth: number
}

export const QUOTE = 34
export const COMMA = 44
export const COLON = 58
export const OPEN_LIST = 91
export const CLOSE_LIST = 93
export const OPEN_OBJECT = 123
export const CLOSE_OBJECT = 125

const CONTROL = /[\u0000-\u001f]/
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

export function startOf(text: string): Cursor {
  return { text, hasControls: CONTROL.test(text), at: 0, depth: 0 }
}

/** Passes white space; gives the UTF-16 unit that follows, NaN at the end. */
export function peek(cursor: Cursor): number {
  for (;;) {
    const unit = cursor.text.charCodeAt(cursor.at)
    if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return unit
    cursor.at++
  }
}

/** Passes an opening bracket. */
export function enter(cursor: Cursor): void {
  if (++cursor.depth > MAX_DEPTH) {
    throw new StepforkError(
      'NOT_JSON',
      `it is nested deeper than ${MAX_DEPTH} levels (at offset ${cursor.at})`,
    )
  }
  cursor.at++
}

/** Passes what ends an item: true for the closing bracket, false for a comma. */
export function leaves(cursor: Cursor, close: number): boolean {
  const unit = peek(cursor)
  if (unit !== close && unit !== COMMA) refuse(cursor, `"," or "${String.fromCharCode(close)}"`)
  cursor.at++
  if (unit === close) cursor.depth--
  return unit === close
}

/** Passes the closing bracket of an empty list or object, if it is there. */
export function leavesAtOnce(cursor: Cursor, close: number): boolean {
  return peek(cursor) === close && leaves(cursor, close)
}

/** Passes a member's name and its colon. */
export function readName(cursor: Cursor): string {
  if (peek(cursor) !== QUOTE) refuse(cursor, 'a name in double quotes')
  const name = decode(readString(cursor))
  if (peek(cursor) !== COLON) refuse(cursor, '":" after the name')
  cursor.at++
  return name
}

/** Passes a string and gives it as written, quotes included. */
export function readString(cursor: Cursor): string {
  let close = cursor.at
  do close = cursor.text.indexOf('"', close + 1)
  while (close !== -1 && isEscaped(cursor.text, close))
  if (close === -1) refuse(cursor, 'a string that ends')
  const token = cursor.text.slice(cursor.at, close + 1)
  if (cursor.hasControls && CONTROL.test(token)) refuse(cursor, 'a string without raw control characters')
  if (token.includes('\\')) assertEscapes(cursor, token)
  cursor.at = close + 1
  return token
}

/** The text that a string token stands for. */
export function decode(token: string): string {
  return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1)
}

/** Passes null, true, false or a number and gives it as written. */
export function readScalar(cursor: Cursor): string {
  const literal = LITERALS.find(word => cursor.text.startsWith(word, cursor.at))
  const token = literal ?? numberAt(cursor)
  if (token === undefined) refuse(cursor, 'a value')
  cursor.at += token.length
  return token
}

const LITERALS = ['null', 'true', 'false'] as const

function numberAt(cursor: Cursor): string | undefined {
  NUMBER.lastIndex = cursor.at
  return NUMBER.exec(cursor.text)?.[0]
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text.charCodeAt(at) === 92) at--
  return (quote - at) % 2 === 0
}

function assertEscapes(cursor: Cursor, token: string): void {
  try {
    JSON.parse(token)
  } catch {
    refuse(cursor, 'a string without unknown escapes')
  }
}

/** Raises NOT_JSON with what was expected, what was found, and where. */
export function refuse(cursor: Cursor, expected: string): never {
  const { text, at } = cursor
  const found = at >= text.length ? 'it ends' : `found ${JSON.stringify(text.slice(at, at + 12))}`
  throw new StepforkError('NOT_JSON', `it is not JSON: expected ${expected}, but ${found} at offset ${at}`)
}
