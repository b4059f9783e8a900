import { StepforkError } from '../errors.ts'

/** A text without these is its own JSON string: nothing to escape, nothing that UTF-8 cannot carry. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/
const LONE_SURROGATE = /\p{Surrogate}/u

/** The canonical form of a text as a JSON string. Raises NOT_JSON for half of a surrogate pair. */
export function canonicalString(text: string): string {
  if (!SPECIAL.test(text)) return `"${text}"`
  if (!LONE_SURROGATE.test(text)) return JSON.stringify(text)
  const shown = JSON.stringify(text.slice(0, 40))
  throw new StepforkError('NOT_JSON', `a string holds half of a surrogate pair: ${shown}`)
}

/** Member names repeat from value to value; the first thousands met are kept. */
const names = new Map<string, string>()
const MAX_NAMES = 4096

/** The canonical form of a member's name, with its colon. */
export function canonicalName(name: string): string {
  const known = names.get(name)
  if (known !== undefined) return known
  const text = `${canonicalString(name)}:`
  if (names.size < MAX_NAMES && name.length < 64) names.set(name, text)
  return text
}
