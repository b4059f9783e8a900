/** The columns of a report: a sign, the numbers of the calls, and the text; under it what belongs to it. */
import { type Marks, marksFor } from './marks.ts'
import { cutLine, EMPTY, type Line, type Paper, type Style, span, wrapLine } from './page.ts'

export interface Layout {
  readonly paper: Paper
  readonly marks: Marks
  /** Column at which the text of an entry starts, and all that stands under it. */
  readonly indent: number
  readonly verbose: boolean
}

/** Columns of `recorded  `, `live      `, `nearest   `. */
const WORD = 10

export function layoutFor(paper: Paper, verbose: boolean): Layout {
  const marks = marksFor(paper)
  return { paper, marks, indent: 2 + widestMark(marks) + 1 + 5, verbose }
}

/** `✗ 5    issue_refund was called with another input` */
export function entry(layout: Layout, kind: 'good' | 'bad' | 'follows', place: string, text: string): Line {
  const mark = layout.marks[kind].padEnd(widestMark(layout.marks))
  const style: Style = kind === 'follows' ? 'dim' : kind
  const gap = ' '.repeat(Math.max(2, 5 - place.length))
  return wrapLine(layout.indent, span('  '), span(mark, style), span(` ${place}${gap}`), span(text))
}

/** A sentence under an entry. */
export function under(layout: Layout, text: string, style: Style = 'plain'): Line {
  return wrapLine(layout.indent, span(pad(layout.indent)), span(text, style))
}

/** `- recorded  42.5` or `+ live      43.5`; further lines of the value under the first. */
export function side(
  layout: Layout,
  which: 'recorded' | 'live',
  lines: readonly string[],
  word: string = which,
): Line[] {
  const sign = which === 'recorded' ? '- ' : '+ '
  return lines.map((text, index) =>
    index === 0
      ? cutLine(span(pad(layout.indent - 2)), span(sign + word.padEnd(WORD) + text, which))
      : cutLine(span(pad(valueColumn(layout))), span(text, which)),
  )
}

/** `nearest   none of that name; …` */
export function labelled(layout: Layout, word: string, text: string): Line {
  return wrapLine(valueColumn(layout), span(pad(layout.indent) + word.padEnd(WORD)), span(text))
}

export function caretLine(layout: Layout, carets: string): Line {
  return cutLine(span(pad(valueColumn(layout)) + carets, 'live'))
}

export function verbatim(layout: Layout, text: string, style: Style): Line {
  return cutLine(span(pad(layout.indent)), span(text, style))
}

/** Columns that are left for a value. */
export function valueWidth(layout: Layout): number {
  return Math.max(20, layout.paper.width - valueColumn(layout))
}

/** A line of carets already parts two blocks; everything else needs an empty line. */
export function withGap(block: readonly Line[]): Line[] {
  const last = block.at(-1)
  const text = last === undefined || last.kind === 'command' ? '' : last.spans.map(one => one.text).join('')
  return /\^ *$/.test(text) ? [...block] : [...block, EMPTY]
}

function valueColumn(layout: Layout): number {
  return layout.indent + WORD
}

function widestMark(marks: Marks): number {
  return Math.max(marks.good.length, marks.bad.length, marks.follows.length)
}

function pad(columns: number): string {
  return ' '.repeat(columns)
}
