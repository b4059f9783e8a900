/** The place in the user's code, and the lines around it. */
import type { Divergence } from '../outcome/outcome.ts'
import type { Source } from '../trace/source.ts'
import { type Layout, under, verbatim } from './layout.ts'
import type { Line } from './page.ts'

export function sourceLines(found: Divergence, layout: Layout): Line[] {
  const { source } = found
  if (source === null) return []
  return [
    under(layout, sourceText(source, found.live === null ? '' : found.label)),
    ...frameLines(source, layout),
  ]
}

/** `src/support-desk.ts:14:5, called by runTool (line 42)` */
export function sourceText(source: Source, label: string): string {
  return `${source.file}:${source.line}:${source.column}${within(source, label)}`
}

/** The function's name, but where it only repeats the tool's: there its caller says more. */
function within({ file, function: name, calledFrom }: Source, label: string): string {
  if (name !== null && name !== label) return `, in ${name}`
  if (calledFrom === null) return ''
  const place = calledFrom.file === file ? `line ${calledFrom.line}` : `${calledFrom.file}:${calledFrom.line}`
  return calledFrom.function === null
    ? `, called from ${place}`
    : `, called by ${calledFrom.function} (${place})`
}

/** A tab counts as one column in the caret line, so it must be one in the code, too. */
function frameLines({ frame }: Source, layout: Layout): Line[] {
  return (frame ?? []).map(line =>
    verbatim(layout, line.replaceAll('\t', ' ').trimEnd(), isMarked(line) ? 'plain' : 'dim'),
  )
}

/** The line itself and its carets; the lines around are for orientation. */
function isMarked(line: string): boolean {
  return line.startsWith('>') || /^ *\| *\^+ *$/.test(line)
}
