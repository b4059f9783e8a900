/**
 * Text of a recording made safe to print. It comes from models, tools and strangers' bundles: an escape sequence
 * in it could rewrite the terminal's window or hide a line, a bidi control could swap the two values of a
 * difference, and a line that looks like a workflow command would be obeyed by the CI that reads the log.
 */

export interface SafeOptions {
  /** False: the terminal is not UTF-8. Then the bytes of a letter could be read as C1 controls, so only ASCII passes. */
  readonly unicode: boolean
}

/** Controls, format characters, line separators, lone surrogates, unassigned and private ones, and all that is drawn as nothing. */
const HIDDEN =
  /(?![\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu
const HIDDEN_OR_FOREIGN = /[^ -~]/gu

/** `##[group]`, `##vso[…]`, `##teamcity[…]`: commands to GitHub, Azure and TeamCity anywhere in a line. */
const LOG_COMMAND = /##(?=[a-z]*\[)/gi
/** `::error::`: a command to GitHub where a line starts with it. */
const LINE_COMMAND = /^(\s*):(?=:)/

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** One line of printable text: what would not be seen is written as `\n`, `\t` or `\u{202e}`. Safe text stays as it is. */
export function safe(text: string, options: SafeOptions): string {
  return escapeHidden(text, options, one => SHORT[one] ?? `\\u{${hex(one.codePointAt(0)!)}}`).replace(
    LOG_COMMAND,
    '#\\u{23}',
  )
}

/** A safe text that is about to start a line. */
export function safeAtLineStart(text: string): string {
  return text.replace(LINE_COMMAND, '$1\\u{3a}')
}

/** The same for a JSON text: what is hidden stands in its strings, and is written in JSON's own escapes, so nothing is lost. */
export function safeJson(json: string, options: SafeOptions): string {
  return escapeHidden(json, options, codeUnits).replace(LOG_COMMAND, '#\\u0023')
}

/** The text with every character that would not be seen, or not as itself, replaced. */
export function escapeHidden(text: string, { unicode }: SafeOptions, write: (one: string) => string): string {
  return text.replace(unicode ? HIDDEN : HIDDEN_OR_FOREIGN, write)
}

function codeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${hex(character.charCodeAt(i)).padStart(4, '0')}`,
  ).join('')
}

function hex(code: number): string {
  return code.toString(16)
}
