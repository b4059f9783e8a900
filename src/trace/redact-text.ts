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
  if (!isKnown && !profile.hint.test(text)) return null
  const patterns = isKnown ? [known, ...profile.patterns] : profile.patterns
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

function applied(marked: Marked, { regex, kind, accepts }: SecretPattern, kinds: Set<string>): Marked {
  const { text } = marked
  const places: Place[] = []
  let out = ''
  let end = 0
  for (const match of text.matchAll(regex)) {
    const to = match.index + match[0].length
    const start = match.index + (match[1]?.length ?? 0)
    const secret = text.slice(start, to)
    if (secret === REDACTED) continue
    const found: Found = { secret, groups: match.slice(1), text, from: match.index, to }
    if (accepts !== undefined && !accepts(found)) continue
    kinds.add(kind(secret))
    places.push(...moved(marked.places, end, start, out.length - end))
    out += text.slice(end, start)
    places.push({ at: out.length, secret })
    out += REDACTED
    end = to
  }
  if (end === 0) return marked
  places.push(...moved(marked.places, end, text.length, out.length - end))
  return { text: out + text.slice(end), places }
}

/** The placeholders between two offsets, shifted; one that was swallowed by a longer secret is gone. */
function moved(places: readonly Place[], from: number, to: number, by: number): Place[] {
  return places.flatMap(({ at, secret }) => (at >= from && at < to ? [{ at: at + by, secret }] : []))
}

function secretsIn({ text, places }: Marked): (string | null)[] {
  const secrets = new Map(places.map(({ at, secret }) => [at, secret]))
  const all: (string | null)[] = []
  for (let at = text.indexOf(REDACTED); at !== -1; at = text.indexOf(REDACTED, at + REDACTED.length)) {
    all.push(secrets.get(at) ?? null)
  }
  return all
}
