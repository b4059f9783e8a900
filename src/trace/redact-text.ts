/** Secrets inside a text, replaced span by span. */
import type { Found, RedactionProfile, SecretPattern } from './redaction-profile.ts'

export const REDACTED = '[REDACTED]'

export interface RedactedText {
  readonly text: string
  /** What the placeholders in the text stand for, in their order; null for one that stood there before. */
  readonly secrets: readonly (string | null)[]
  /** What kinds of secrets were found, each once. */
  readonly kinds: readonly string[]
}

/** Shorter than the shortest credential there is. */
const SHORTEST = 8

/** Null when there is nothing to hide. `known`: secrets that are known by their value; applied first. */
export function redactText(
  text: string,
  profile: RedactionProfile,
  known: SecretPattern | null = null,
): RedactedText | null {
  if (text.length < SHORTEST) return null
  const isKnown = known !== null && text.search(known.regex) !== -1
  if (!isKnown && !profile.mayHold(text)) return null
  // Several need the same, and hiding one secret does not bring what another needs.
  const isThere = new Map<RegExp, boolean>()
  const mayFind = ({ needs }: SecretPattern): boolean => {
    if (needs === undefined) return true
    if (!isThere.has(needs)) isThere.set(needs, needs.test(text))
    return isThere.get(needs)!
  }
  const patterns = [...(isKnown ? [known] : []), ...profile.patterns.filter(mayFind)]
  if (!patterns.some(pattern => partsWith(text, pattern).length > 0)) return null
  const kinds = new Set<string>()
  let at: Marked = { text, places: [] }
  // A placeholder may end the word before it, so that it is a secret now.
  for (let before = ''; before !== at.text; ) {
    before = at.text
    for (const pattern of patterns) at = applied(at, pattern, kinds)
  }
  return kinds.size === 0 ? null : { text: at.text, secrets: secretsIn(at), kinds: [...kinds] }
}

/** A text with the placeholders that were put into it. */
interface Marked {
  readonly text: string
  readonly places: readonly Place[]
}

interface Place {
  readonly at: number
  readonly secret: string
}

function applied(marked: Marked, pattern: SecretPattern, kinds: Set<string>): Marked {
  const { text } = marked
  const { kind, accepts } = pattern
  const places: Place[] = []
  const kept = moverOf(marked.places)
  let out = ''
  let end = 0
  for (const { match, from } of matchesIn(text, pattern)) {
    const to = from + match[0].length
    const start = from + (match[1]?.length ?? 0)
    const secret = text.slice(start, to)
    if (secret === REDACTED) continue
    const found: Found = { secret, groups: match.slice(1), text, from, to }
    if (accepts !== undefined && !accepts(found)) continue
    kinds.add(kind(secret))
    kept(places, start, out.length - end)
    out += text.slice(end, start)
    places.push({ at: out.length, secret })
    out += REDACTED
    kept(null, to, 0)
    end = to
  }
  if (end === 0) return marked
  kept(places, text.length, out.length - end)
  return { text: out + text.slice(end), places }
}

interface Match {
  readonly match: RegExpExecArray
  readonly from: number
}

function* matchesIn(text: string, pattern: SecretPattern): Generator<Match> {
  for (const [from, to] of partsWith(text, pattern)) {
    for (const match of text.slice(from, to).matchAll(pattern.regex))
      yield { match, from: from + match.index }
  }
}

/** The parts of the text in which there is a match: a search costs a tenth of an iteration, and nearly always finds none. */
function partsWith(text: string, { regex, within }: SecretPattern): (readonly [from: number, to: number])[] {
  if (within === undefined) return text.search(regex) === -1 ? [] : [[0, text.length]]
  return within(text).filter(([from, to]) => text.slice(from, to).search(regex) !== -1)
}

/** Hands over the placeholders up to an offset, shifted; null: they were swallowed by a longer secret and are gone. */
function moverOf(places: readonly Place[]): (target: Place[] | null, to: number, by: number) => void {
  let next = 0
  return (target, to, by) => {
    for (; next < places.length && places[next]!.at < to; next++) {
      const { at, secret } = places[next]!
      target?.push({ at: at + by, secret })
    }
  }
}

function secretsIn({ text, places }: Marked): (string | null)[] {
  const secrets = new Map(places.map(({ at, secret }) => [at, secret]))
  const all: (string | null)[] = []
  for (let at = text.indexOf(REDACTED); at !== -1; at = text.indexOf(REDACTED, at + REDACTED.length)) {
    all.push(secrets.get(at) ?? null)
  }
  return all
}
