/**
 * Recorded calls by a text (identity and input, identity, or input), each list in recorded order. A cursor per list
 * only moves forward, past calls that can never be offered again, so that a look-up is O(1) amortised.
 */
export interface CallIndex {
  /** The earliest call under `key` for which `isFree` holds; null when there is none. */
  first(key: string, isFree: (call: number) => boolean): number | null
  /** The earliest free call under `key` for which `suits` holds, too; those before it that do not suit are kept for later. */
  find(key: string, isFree: (call: number) => boolean, suits: (call: number) => boolean): number | null
  /** How many calls the recording has under `key`. */
  count(key: string): number
  /** Offers again what a cursor has passed; called when a taken call is given back. */
  rewind(key: string): void
}

interface Row {
  readonly calls: number[]
  cursor: number
}

export function createCallIndex(entries: Iterable<readonly [key: string, call: number]>): CallIndex {
  const rows = new Map<string, Row>()
  for (const [key, call] of entries) {
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { calls: [call], cursor: 0 })
    else row.calls.push(call)
  }
  const pass = (row: Row, isFree: (call: number) => boolean): void => {
    while (row.cursor < row.calls.length && !isFree(row.calls[row.cursor]!)) row.cursor++
  }
  return {
    first: (key, isFree) => {
      const row = rows.get(key)
      if (row === undefined) return null
      pass(row, isFree)
      return row.calls[row.cursor] ?? null
    },
    find: (key, isFree, suits) => {
      const row = rows.get(key)
      if (row === undefined) return null
      pass(row, isFree)
      for (let at = row.cursor; at < row.calls.length; at++) {
        const call = row.calls[at]!
        if (isFree(call) && suits(call)) return call
      }
      return null
    },
    count: key => rows.get(key)?.calls.length ?? 0,
    rewind: key => {
      const row = rows.get(key)
      if (row !== undefined) row.cursor = 0
    },
  }
}
