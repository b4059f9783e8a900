import type { Json, JsonObject } from '../json/value.ts'

export type ProfileName = 'compatible' | 'strong'

/** What counts as a secret, as data. */
export interface RedactionProfile {
  readonly name: ProfileName
  /** Whether a member of this name holds a secret, so that its value is replaced whole. */
  readonly isSecretMember: (name: string, value: Json, holder: JsonObject) => boolean
  /** False: the text is passed without looking closer. */
  readonly mayHold: (text: string) => boolean
  /** Applied in this order. */
  readonly patterns: readonly SecretPattern[]
  /** Whether names, too, are looked through, and values that stand beside their name: `["api-key", "…"]`, `--token …`. */
  readonly looksAround: boolean
}

export interface SecretPattern {
  /** Global. What its first group holds stays, the rest of the match is the secret. */
  readonly regex: RegExp
  /** A text without this is passed: it is found, or missed, in less time. */
  readonly needs?: RegExp
  /** The parts of a text to look in; otherwise all of it. */
  readonly within?: (text: string) => readonly (readonly [from: number, to: number])[]
  /** What it finds, in words. */
  readonly kind: (secret: string) => string
  /** A second look at what the expression found. */
  readonly accepts?: (found: Found) => boolean
}

export interface Found {
  readonly secret: string
  /** What the pattern's groups hold. */
  readonly groups: readonly (string | undefined)[]
  /** The text around it, with the offsets of the whole match. */
  readonly text: string
  readonly from: number
  readonly to: number
}
