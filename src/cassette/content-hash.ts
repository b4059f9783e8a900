import { digest } from '../json/digest.ts'
import { spelledText } from '../json/spelling.ts'
import type { Json } from '../json/value.ts'
import type { Cassette, CassetteInput } from './cassette.ts'
import { toCassette } from './read-cassette.ts'

/**
 * The normalised cassette as canonical JSON, as grudge writes it: keys by code point, no blanks, non-ASCII as it is, `1`
 * and `1.0` apart as far as the cassette was read from a text.
 */
export function canonicalCassette(cassette: CassetteInput): string {
  return spelledText(toCassette(cassette) as unknown as Json)
}

/** Length of the canonical text in UTF-8 bytes. */
export function sizeBytes(cassette: CassetteInput): number {
  return new TextEncoder().encode(canonicalCassette(cassette)).length
}

/** SHA-256 of the canonical text, 64 lower-case hex digits. How a matcher was spelled does not change it. */
export function contentHash(cassette: CassetteInput | Cassette): string {
  return digest(canonicalCassette(cassette))
}
