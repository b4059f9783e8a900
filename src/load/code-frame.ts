/** Widest piece of code in a frame: in a report of 80 columns the indent and the line number stand before it. */
const WIDTH = 62
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/**
 * A line of code with its number, a caret under the column, and one line before and after it:
 *
 *      13 |   issue_refund: async ({ order_id, amount }) =>
 *    > 14 |     shop('POST', '/refunds', { order_id, amount }),
 *         |     ^
 *      15 | }
 *
 * `line` and `column` count from 1. Empty when there is no such line. Control characters are left to the report.
 */
export function codeFrame(code: string, line: number, column: number): readonly string[] {
  const lines = code.split(/\r?\n/)
  const target = lines[line - 1]
  if (target === undefined) return []
  const start = column - 1 > WIDTH - 4 ? column - 1 - Math.floor(WIDTH / 2) : 0
  const digits = String(Math.min(line + 1, lines.length)).length
  const row = (number: number, mark: string): string[] => {
    const text = lines[number - 1]
    if (text === undefined || (text.trim() === '' && number !== line)) return []
    return [`${mark} ${String(number).padStart(digits)} | ${cut(text, start)}`.trimEnd()]
  }
  const caret = `  ${' '.repeat(digits)} | ${blank(cut(target, start), column - 1 - start + (start > 0 ? 1 : 0))}^`
  return [...row(line - 1, ' '), ...row(line, '>'), caret, ...row(line + 1, ' ')]
}

function cut(text: string, start: number): string {
  const head = start > 0 ? '…' : ''
  const rest = text.slice(start).replaceAll('\t', ' ')
  return head + (rest.length > WIDTH ? `${rest.slice(0, WIDTH - 1)}…` : rest)
}

/** As many blanks as the first `length` characters take on a terminal. */
function blank(text: string, length: number): string {
  return Array.from(text.slice(0, length).padEnd(length), char => (WIDE.test(char) ? '  ' : ' ')).join('')
}
