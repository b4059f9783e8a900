/** An error that ends a command: one sentence, and what to do about it. */
import { marksFor } from './marks.ts'
import { EMPTY, type Line, type Paper, printPage, span, wrapLine } from './page.ts'
import { safeJson } from './safe-text.ts'

export interface ReportedError {
  readonly code: string
  readonly message: string
  readonly hint: string | null
}

/** Message and hint may have several lines, such as the line of code that does not parse. */
export function errorText({ code, message, hint }: ReportedError, paper: Paper): string {
  const [first = '', ...further] = message.split('\n')
  const lines: Line[] = [
    wrapLine(4, span(marksFor(paper).bad, 'bad'), span(` ${first}`), span(` (${code})`, 'dim')),
    ...further.map(textLine),
    ...(hint === null ? [] : [EMPTY, ...textLines(hint)]),
  ]
  return printPage(lines, paper)
}

/** Our own texts may have several lines, such as a wrapper to copy: they stay lines, with their indentation. */
export function textLines(text: string): Line[] {
  return text.split('\n').map(textLine)
}

function textLine(text: string): Line {
  return wrapLine(4, span(`  ${text}`))
}

/** The same for `--json`, in the words of the Python implementation. */
export function errorObjectText(error: string, message: string): string {
  return `{"error": ${jsonString(error)}, "message": ${jsonString(message)}}\n`
}

function jsonString(text: string): string {
  return safeJson(JSON.stringify(text), { unicode: true })
}
