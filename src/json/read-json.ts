import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  type Cursor,
  enter,
  leaves,
  leavesAtOnce,
  OPEN_LIST,
  OPEN_OBJECT,
  peek,
  QUOTE,
  readName,
  readScalar,
  readString,
  refuse,
  startOf,
} from './cursor.ts'

/** What a reading makes of each token; `T` is what it builds. */
export interface Builder<T> {
  /** null, true, false, or a number as written, for example `1.50E+3`; `at` is its offset. */
  readonly scalar: (token: string, at: number) => T
  /** A string as written, quotes and escapes included; it is known to be well formed JSON. */
  readonly string: (token: string) => T
  readonly list: (items: readonly T[]) => T
  /** Members as written, duplicates included. */
  readonly object: (members: readonly (readonly [name: string, value: T])[]) => T
}

/**
 * Reads a JSON text by the grammar of RFC 8259 and nothing else, token by token, so that spellings survive. Raises
 * NOT_JSON, naming the offset, for a bad text and for nesting beyond MAX_DEPTH.
 */
export function readJson<T>(text: string, builder: Builder<T>): T {
  const cursor = startOf(text)
  const value = readValue(cursor, builder)
  peek(cursor)
  if (cursor.at < text.length) refuse(cursor, 'nothing more after the value')
  return value
}

/**
 * The value of one member of an object text, as written; the last one of duplicates, undefined when there is none.
 * The object itself does not count as a level of nesting. Raises NOT_JSON as `readJson` does.
 */
export function rawMember(objectText: string, name: string): string | undefined {
  const cursor = startOf(objectText)
  cursor.depth = -1
  let found: string | undefined
  peek(cursor)
  enter(cursor)
  if (leavesAtOnce(cursor, CLOSE_OBJECT)) return undefined
  do {
    const isWanted = readName(cursor) === name
    peek(cursor)
    const start = cursor.at
    readValue(cursor, skipping)
    if (isWanted) found = objectText.slice(start, cursor.at)
  } while (!leaves(cursor, CLOSE_OBJECT))
  return found
}

const skipping: Builder<null> = {
  scalar: () => null,
  string: () => null,
  list: () => null,
  object: () => null,
}

function readValue<T>(cursor: Cursor, builder: Builder<T>): T {
  switch (peek(cursor)) {
    case QUOTE:
      return builder.string(readString(cursor))
    case OPEN_OBJECT:
      return readObject(cursor, builder)
    case OPEN_LIST:
      return readList(cursor, builder)
  }
  const at = cursor.at
  return builder.scalar(readScalar(cursor), at)
}

function readObject<T>(cursor: Cursor, builder: Builder<T>): T {
  const members: [string, T][] = []
  enter(cursor)
  if (leavesAtOnce(cursor, CLOSE_OBJECT)) return builder.object(members)
  do {
    const name = readName(cursor)
    members.push([name, readValue(cursor, builder)])
  } while (!leaves(cursor, CLOSE_OBJECT))
  return builder.object(members)
}

function readList<T>(cursor: Cursor, builder: Builder<T>): T {
  const items: T[] = []
  enter(cursor)
  if (leavesAtOnce(cursor, CLOSE_LIST)) return builder.list(items)
  do items.push(readValue(cursor, builder))
  while (!leaves(cursor, CLOSE_LIST))
  return builder.list(items)
}
