/** Commands to paste into a shell. Paths come from the user or a bundle: they are quoted, and never read as options. */
import { escapeHidden, safe } from './safe-text.ts'

/**
 * `#` starts a comment only at the start of a word, and `=` means something to zsh there. `::` would be a command to GitHub
 * where the word comes to start a line.
 */
const PLAIN = /^(?!::)[\w@:,./-][\w@%+=:,./#-]*$/
const SHOWN = { unicode: true }

/** One word of a command, quoted for sh, bash and zsh where it needs to be. */
export function shellQuote(word: string): string {
  if (PLAIN.test(word)) return word
  if (safe(word, SHOWN) === word) return `'${word.replaceAll("'", `'\\''`)}'`
  const escaped = escapeHidden(
    word.replace(/[\\']/g, '\\$&'),
    SHOWN,
    one => `\\U${one.codePointAt(0)!.toString(16).padStart(8, '0')}`,
  )
  return `$'${escaped.replaceAll('##', '#\\x23')}'`
}

/** A path as an argument of ours: one that starts with `-` would be taken for an option. */
export function pathArgument(path: string): string {
  return shellQuote(path.startsWith('-') ? `./${path}` : path)
}
