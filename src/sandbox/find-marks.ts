/** Finds drawn bytes again in what the agent sends: the whole of them or their beginning, in the usual spellings. */
import { pointer } from '../json/pointer.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { Label, MarkLine } from '../trace/determinism.ts'
import { type Draw, type Spelled, spelledDraw, spelledPart, spelledText } from '../trace/spellings.ts'

export interface MarkFinder {
  /** Something is drawn; gives what is to be told the bytes when they are there. */
  drew(api: string, label: Label): (bytes: Uint8Array) => void
  marks(call: number | null, payload: Json): MarkLine[]
}

/** More is no id any more, but a file or a pool that is not known. */
const LARGEST_DRAW = 4096
const MOST_DRAWS = 10_000
/** A text is looked at no further than this, all texts of a payload together. */
const MOST_TEXT = 1_000_000
/** Remembered as holding nothing new: a chat is sent again with each of its turns. */
const MOST_TOKENS = 100_000
/** Characters by which a draw is found: 32 bits at the least. */
const KEY = 8

export function createMarkFinder(): MarkFinder {
  const counts = new Map<string, number>()
  const byKey = new Map<string, Spelled>()
  /** How far each was found: the longest mark counts. */
  const found = new Map<Spelled, number>()
  const missed = new Set<string>()
  const single = new Map<string, Draw[]>()
  let draws = 0
  return { drew, marks }

  function drew(api: string, label: Label): (bytes: Uint8Array) => void {
    const key = `${api}\n${label.interval}\n${label.site}`
    const nth = counts.get(key) ?? 0
    counts.set(key, nth + 1)
    return bytes => {
      if (bytes.length > LARGEST_DRAW || draws++ >= MOST_DRAWS) return
      // A copy: whoever drew them may fill the same memory again.
      const draw: Draw = { ...label, drew: api, nth, bytes: Uint8Array.from(bytes) }
      const before = single.get(key) ?? []
      if (bytes.length === 1) single.set(key, [draw, ...before].slice(0, 16))
      for (const spelled of spelledDraw(draw, bytes.length === 1 ? before : [])) {
        if (spelled.text.length >= KEY) byKey.set(spelled.text.slice(0, KEY), spelled)
      }
    }
  }

  function marks(call: number | null, payload: Json): MarkLine[] {
    if (byKey.size === 0) return []
    const lines: MarkLine[] = []
    let left = MOST_TEXT
    const parts: (string | number)[] = []
    visit(payload)
    return lines

    function visit(value: Json): void {
      if (typeof value === 'string') visitText(value)
      else if (typeof value === 'number') visitText(String(value))
      else if (Array.isArray(value)) visitEach(value.entries())
      else if (isJsonObject(value)) visitEach(Object.entries(value))
    }

    function visitEach(members: Iterable<readonly [string | number, Json]>): void {
      for (const [name, member] of members) {
        parts.push(name)
        visit(member)
        parts.pop()
      }
    }

    function visitText(text: string): void {
      if (text.length < KEY || left <= 0) return
      left -= text.length
      for (const { 0: token, index } of text.matchAll(TOKEN)) {
        if (!isDrawnLike(token) || missed.has(token)) continue
        const before = lines.length
        visitToken(token, index)
        if (lines.length === before && missed.size < MOST_TOKENS) missed.add(token)
      }
    }

    function visitToken(token: string, start: number): void {
      const spelling = spelledText(token)
      for (let at = 0; at + KEY <= token.length; at++) {
        const spelled =
          byKey.get(spelling.exact.slice(at, at + KEY)) ?? byKey.get(spelling.hex.slice(at, at + KEY))
        if (spelled === undefined) continue
        const part = spelledPart(spelled, token, at)
        if (part.length < KEY || part.length <= (found.get(spelled) ?? 0)) continue
        found.set(spelled, part.length)
        const { drew, interval, site, nth } = spelled.draw
        const place = { call, path: pointer(parts), start: start + part.start, length: part.length }
        lines.push({ mark: spelled.spelling, drew, interval, site, nth, from: part.from, ...place })
        at = part.start + part.length - 1
      }
    }
  }
}

const TOKEN = /[A-Za-z0-9+/_-]{8,}/g

/** Prose is most of what is sent; what was drawn has digits or capitals in it but once in a thousand times. */
function isDrawnLike(token: string): boolean {
  return /[0-9_]|.[A-Z]/.test(token)
}
