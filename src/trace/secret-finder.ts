import type { Json } from '../json/value.ts'
import { type KnownSecret, patternOf } from './known-secrets.ts'
import { type OpenFinding, redactOpenly } from './redact.ts'
import { strongProfile } from './strong-profile.ts'

export type FoundSecret = Pick<OpenFinding, 'path' | 'kinds'>

/** Finds what the strong profile would hide, and says of what kind it is. */
export function secretFinder(known: readonly KnownSecret[]): (value: Json) => FoundSecret[] {
  const pattern = patternOf(known)
  return value =>
    redactOpenly(value, strongProfile, pattern).findings.map(({ path, kinds }) => ({ path, kinds }))
}
