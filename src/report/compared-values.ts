/** Both sides of one difference as printable text, shown in the way in which the difference is best seen. */
import type { Difference } from '../json/compare.ts'
import type { Json } from '../json/value.ts'
import { aroundChange } from './around-change.ts'
import { changedPart, changedShare, changedWords } from './changed-part.ts'
import { cutEnd } from './display-width.ts'
import { marksFor } from './marks.ts'
import type { Paper } from './page.ts'
import { safe, safeJson } from './safe-text.ts'
import { unseenDifference } from './unseen-difference.ts'
import { SANE_LIMIT, typeWord, valueText } from './value-text.ts'

export interface ComparedValues {
  /** Where in a longer text: `line 3 of 12`, `1 word of 19`. */
  readonly where: string | null
  /** Lines of each side; at least one. */
  readonly recorded: readonly string[]
  readonly live: readonly string[]
  readonly carets: string | null
  /** A sentence for what cannot be seen. */
  readonly remark: string | null
}

export interface Comparing {
  readonly paper: Paper
  /** Columns for a value. */
  readonly width: number
  /** Texts of a prompt are shown as prose, without quotes. */
  readonly prose: boolean
  /** Lines of a multi-line text on each side. */
  readonly lines: number
}

/** A longer text is prose in a tool's input, too. */
const LONG = 60

export function comparedValues(difference: Difference, comparing: Comparing): ComparedValues {
  const { recorded, actual } = difference
  if (typeof recorded === 'string' && typeof actual === 'string')
    return comparedTexts(recorded, actual, comparing)
  const words = recorded !== undefined && actual !== undefined && looksEqual(recorded, actual)
  return {
    where: null,
    recorded: [oneValue(recorded, words, comparing)],
    live: [oneValue(actual, words, comparing)],
    carets: null,
    remark: null,
  }
}

/** `"42"` and `42`, `{}` and `[]`: the difference is in the type only, which must be named then. */
export function looksEqual(recorded: Json, live: Json): boolean {
  return typeWord(recorded) !== typeWord(live) && bare(recorded) === bare(live)
}

function bare(value: Json): string {
  if (typeof value === 'string') return value.slice(0, LONG)
  return valueText(value, LONG, { unicode: true }).replace(/^(\{\}|\[\])$/, '')
}

function oneValue(value: Json | undefined, typed: boolean, { paper, width }: Comparing): string {
  if (value === undefined) return '(absent)'
  const word = typed ? ` (${typeWord(value)})` : ''
  const room = Math.min(width, SANE_LIMIT) - word.length
  return cutEnd(valueText(value, room, paper), room, marksFor(paper).cut) + word
}

function comparedTexts(recorded: string, live: string, comparing: Comparing): ComparedValues {
  const remark = unseenDifference(recorded, live)
  if (remark !== null) return { ...onOneLine(recorded, live, { ...comparing, prose: false }, true), remark }
  if (recorded.includes('\n') || live.includes('\n')) return comparedLines(recorded, live, comparing)
  return onOneLine(recorded, live, comparing, false)
}

/** `reveal` writes the letters of the change as code points, for a change that would not be seen. */
function onOneLine(recorded: string, live: string, comparing: Comparing, reveal: boolean): ComparedValues {
  const { paper } = comparing
  const part = reveal ? changedPart(recorded, live) : changedWords(recorded, live)
  const prose = isProse(recorded, live, comparing)
  const quoted = (text: string): string =>
    safeJson(JSON.stringify(text).slice(1, -1), { unicode: paper.unicode && !reveal })
  const around = aroundChange(part, {
    width: Math.min(comparing.width, SANE_LIMIT),
    marks: marksFor(paper),
    form: prose ? text => safe(text, paper) : quoted,
    quote: prose ? '' : '"',
  })
  return {
    ...around,
    where: changedShare(part),
    recorded: [around.recorded],
    live: [around.live],
    remark: null,
  }
}

/** Prose needs no quotes, unless its ends would be lost without them. */
function isProse(recorded: string, live: string, { prose }: Comparing): boolean {
  if (!prose && Math.max(recorded.length, live.length) <= LONG) return false
  return [recorded, live].every(text => text !== '' && text === text.trim())
}

function comparedLines(recorded: string, live: string, comparing: Comparing): ComparedValues {
  const before = recorded.split('\n')
  const now = live.split('\n')
  const start = commonLines(before, now)
  const end = commonLines(before.slice(start).reverse(), now.slice(start).reverse())
  const old = before.slice(start, before.length - end)
  const changed = now.slice(start, now.length - end)
  const where = linesWord(start, changed.length, now.length)
  if (old.length === 1 && changed.length === 1) {
    return { ...onOneLine(old[0]!, changed[0]!, { ...comparing, prose: true }, false), where }
  }
  return {
    where,
    recorded: shown(old, comparing),
    live: shown(changed, comparing),
    carets: null,
    remark: null,
  }
}

function commonLines(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length)
  for (let i = 0; i < most; i++) if (a[i] !== b[i]) return i
  return most
}

function linesWord(start: number, changed: number, total: number): string {
  if (changed === 0) return `after line ${start} of ${total}`
  return changed === 1 ? `line ${start + 1} of ${total}` : `lines ${start + 1}-${start + changed} of ${total}`
}

function shown(lines: readonly string[], { paper, width, lines: most }: Comparing): string[] {
  const { cut } = marksFor(paper)
  const room = Math.min(width, SANE_LIMIT)
  const first = lines.slice(0, most).map(line => cutEnd(safe(line.slice(0, room * 2), paper), room, cut))
  if (lines.length === 0) return ['(no such line)']
  const more = lines.length - first.length
  return more > 0 ? [...first, `${cut} and ${more} more ${more === 1 ? 'line' : 'lines'}`] : first
}
