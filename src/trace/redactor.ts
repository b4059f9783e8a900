/** One redactor a run: the profile, and the secrets that the run's own environment tells. */
import type { Json } from '../json/value.ts'
import { compatibleProfile } from './compatible-profile.ts'
import { type Redaction, redact } from './redact.ts'
import type { ProfileName, RedactionProfile } from './redaction-profile.ts'
import { strongProfile } from './strong-profile.ts'

export interface Redactor {
  readonly profile: ProfileName
  redact(value: Json): Redaction
}

export function createRedactor(name: ProfileName): Redactor {
  const profile = profileOf(name)
  return { profile: name, redact: value => redact(value, profile) }
}

function profileOf(name: ProfileName): RedactionProfile {
  return name === 'strong' ? strongProfile : compatibleProfile
}
