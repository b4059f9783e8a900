/**
 * Lines of a report, and how they become text. A line is made of spans, and this file alone turns a span into
 * characters: so no text of a recording reaches the terminal that was not made safe, and colours, which are
 * added last, never count as columns.
 */
import { Chalk } from 'chalk'
import { cutEnd, displayWidth, takeStart } from './display-width.ts'
import { marksFor } from './marks.ts'
import { safe, safeAtLineStart } from './safe-text.ts'
import { SANE_LIMIT } from './value-text.ts'

export type Style = 'plain' | 'bold' | 'dim' | 'recorded' | 'live' | 'good' | 'bad'

export interface Span {
  readonly text: string
  readonly style: Style
}

export type Line =
  /** Cut at its end where it does not fit. */
  | { readonly kind: 'cut'; readonly spans: readonly Span[] }
  /** Prose: broken at spaces, its further lines indented by so many columns. */
  | { readonly kind: 'wrap'; readonly spans: readonly Span[]; readonly indent: number }
  /** A command to paste: broken by `\` between its parts. A part is never broken, for it would no longer work. */
  | { readonly kind: 'command'; readonly parts: readonly string[] }

export interface Paper {
  readonly color: boolean
  /** Columns of the terminal; Infinity where the output is piped. */
  readonly width: number
  readonly unicode: boolean
}

/** What is piped, or written into a file or a message. */
export const PIPED: Paper = { color: false, width: Number.POSITIVE_INFINITY, unicode: true }

/** Characters of one span: a message of a megabyte is not read, and would be wrapped for seconds. */
const LONGEST = SANE_LIMIT * 2

/** A terminal narrower than this wraps the lines itself. */
const NARROWEST = 40

export function span(text: string, style: Style = 'plain'): Span {
  return { text, style }
}

export function cutLine(...spans: readonly Span[]): Line {
  return { kind: 'cut', spans }
}

export function wrapLine(indent: number, ...spans: readonly Span[]): Line {
  return { kind: 'wrap', spans, indent }
}

export const EMPTY: Line = { kind: 'cut', spans: [] }

/** The lines as text, each with its newline. */
export function printPage(lines: readonly Line[], paper: Paper): string {
  const usable = { ...paper, width: Math.max(paper.width, NARROWEST) }
  return lines.flatMap(line => printLine(line, usable).map(text => `${text}\n`)).join('')
}

function printLine(line: Line, paper: Paper): string[] {
  switch (line.kind) {
    case 'cut':
      return [paint(cutSpans(safeSpans(line.spans, paper), paper), paper)]
    case 'wrap':
      return wrapSpans(safeSpans(line.spans, paper), line.indent, paper.width).map(row => paint(row, paper))
    case 'command':
      return breakCommand(
        line.parts.map(part => safe(part, paper)),
        paper.width,
      )
  }
}

function safeSpans(spans: readonly Span[], paper: Paper): Span[] {
  const first = spans.findIndex(({ text }) => text.trimStart() !== '')
  return spans.map(({ text, style }, index) => {
    const shown = safe(text.length > LONGEST ? text.slice(0, LONGEST) + marksFor(paper).cut : text, paper)
    return { text: index === first ? safeAtLineStart(shown) : shown, style }
  })
}

function cutSpans(spans: readonly Span[], paper: Paper): Span[] {
  const kept: Span[] = []
  let left = paper.width
  for (const { text, style } of spans) {
    const fitted = cutEnd(text, left, marksFor(paper).cut)
    kept.push({ text: fitted, style })
    if (fitted !== text) break
    left -= displayWidth(text)
  }
  return kept
}

/** Greedy: a word that does not fit starts a new line; one longer than a line is broken. */
function wrapSpans(spans: readonly Span[], indent: number, width: number): Span[][] {
  const rows: Span[][] = [[]]
  let left = width
  const startRow = (): void => {
    rows.push([span(' '.repeat(indent))])
    left = width - indent
  }
  for (const word of spans.flatMap(words)) {
    let rest = word.text
    if (displayWidth(rest.trimEnd()) > left && left < width - indent) {
      startRow()
      rest = safeAtLineStart(rest)
    }
    while (displayWidth(rest.trimEnd()) > left) {
      const start = takeStart(rest, left)
      rows.at(-1)!.push({ ...word, text: start })
      rest = safeAtLineStart(rest.slice(start.length))
      startRow()
    }
    rows.at(-1)!.push({ ...word, text: rest })
    left -= displayWidth(rest)
  }
  return rows
}

/** A span as words, each with the spaces behind it. */
function words({ text, style }: Span): Span[] {
  return (text.match(/^ +|[^ ]+ */g) ?? []).map(word => ({ text: word, style }))
}

function breakCommand(parts: readonly string[], width: number): string[] {
  const rows: string[] = []
  let row = '   '
  for (const [index, part] of parts.entries()) {
    const end = index === parts.length - 1 ? 0 : 2
    if (displayWidth(row) + 1 + displayWidth(part) + end > width && row.trim() !== '') {
      rows.push(`${row} \\`)
      row = '     '
    }
    row += ` ${part}`
  }
  return [...rows, row]
}

const COLORS = new Chalk({ level: 1 })

const PAINT: Record<Style, (text: string) => string> = {
  plain: text => text,
  bold: COLORS.bold,
  dim: COLORS.dim,
  recorded: COLORS.red,
  live: COLORS.green,
  good: COLORS.green,
  bad: COLORS.red,
}

/** Spaces at the end of a line are ours, from padding: a text that ends in one is shown in quotes. */
function paint(spans: readonly Span[], paper: Paper): string {
  const end = spans.findLastIndex(({ text }) => text.trimEnd() !== '')
  return spans
    .slice(0, end + 1)
    .map(({ text, style }, index) => ({ style, text: index === end ? text.trimEnd() : text }))
    .map(({ text, style }) => (paper.color && text !== '' ? PAINT[style](text) : text))
    .join('')
}
