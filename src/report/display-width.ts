/** Columns of a terminal that a text takes, and texts cut to a number of columns: never inside a letter or an emoji. */
import stringWidth from 'fast-string-width'

/** ASCII and the marks of our own reports, each one column wide: most lines, and no table has to be asked for them. */
const NARROW = /^[ -~✓✗↳→…·]*$/

let graphemes: Intl.Segmenter | undefined

/** Columns that safe text takes. */
export function displayWidth(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text)
}

/** The beginning of the text that fits, with `mark` where it was cut. */
export function cutEnd(text: string, width: number, mark: string): string {
  if (fits(text, width)) return text
  return takeStart(text, width - mark.length) + mark.slice(0, Math.max(0, width))
}

/** The end of the text that fits, with `mark` where it was cut: for paths, whose end says most. */
export function cutStart(text: string, width: number, mark: string): string {
  if (fits(text, width)) return text
  return mark.slice(0, Math.max(0, width)) + takeEnd(text, width - mark.length)
}

/** As much of the beginning as fits in so many columns. */
export function takeStart(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return text
  const near = text.slice(0, reach(columns))
  return NARROW.test(near) ? near.slice(0, Math.max(0, columns)) : take(clusters(near), columns).join('')
}

/** As much of the end as fits in so many columns. */
export function takeEnd(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return text
  const near = text.slice(Math.max(0, text.length - reach(columns)))
  if (NARROW.test(near)) return columns <= 0 ? '' : near.slice(-columns)
  return take(clusters(near).reverse(), columns).reverse().join('')
}

function fits(text: string, width: number): boolean {
  if (width === Number.POSITIVE_INFINITY) return true
  return text.length <= reach(width) && displayWidth(text) <= width
}

/**
 * Code units looked at for so many columns. A letter may carry any number of accents that take no column, so
 * without a bound one column could hold a megabyte.
 */
function reach(columns: number): number {
  return Math.max(0, columns) * 8
}

function take(parts: readonly string[], columns: number): string[] {
  const taken: string[] = []
  let used = 0
  for (const part of parts) {
    used += stringWidth(part)
    if (used > columns) break
    taken.push(part)
  }
  return taken
}

function clusters(text: string): string[] {
  // Made when it is first needed: it loads tables that a plain report never asks.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(graphemes.segment(text), piece => piece.segment)
}
