/**
 * One redactor a run: the profile, the secrets that the run's own environment tells, and a number for each secret that it has
 * met, so that a replay can compare which placeholders stood for the same one. Secrets stay in memory.
 */
import type { Json } from '../json/value.ts'
import { compatibleProfile } from './compatible-profile.ts'
import { type KnownSecret, patternOf, writtenForms } from './known-secrets.ts'
import { type OpenFinding, type Redaction, redactOpenly, type SecretMark } from './redact.ts'
import type { ProfileName, RedactionProfile, SecretPattern } from './redaction-profile.ts'
import { strongProfile } from './strong-profile.ts'

export interface Redactor {
  readonly profile: ProfileName
  redact(value: Json): Redaction
  /** Whether this environment variable is set, and a secret. */
  knows(name: string): boolean
}

/** `known` is asked each time: an agent may load its `.env` file when it has begun. */
export function createRedactor(
  name: ProfileName,
  known: () => readonly KnownSecret[] = () => NONE,
): Redactor {
  const profile = profileOf(name)
  const markOf = createRegister(known)
  let compiledOf: readonly KnownSecret[] = NONE
  let compiled: SecretPattern | null = null
  const pattern = (): SecretPattern | null => {
    const secrets = known()
    if (secrets !== compiledOf) compiled = patternOf(secrets)
    compiledOf = secrets
    return compiled
  }
  const marked = ({ path, reason, secrets }: OpenFinding) => ({
    path,
    reason,
    secrets: secrets.map(secret => (secret === null ? null : markOf(secret))),
  })
  return {
    profile: name,
    redact: value => {
      const { value: redacted, findings } = redactOpenly(value, profile, pattern())
      return { value: redacted, findings: findings.map(marked) }
    },
    knows: variable => known().some(secret => secret.name === variable),
  }
}

const NONE: readonly KnownSecret[] = []

function profileOf(name: ProfileName): RedactionProfile {
  return name === 'strong' ? strongProfile : compatibleProfile
}

/** Numbers from 1, in the order in which secrets are met. */
function createRegister(known: () => readonly KnownSecret[]): (secret: string) => SecretMark {
  const numbers = new Map<string, number>()
  return secret => {
    const bare = secret.replace(/^(?:bearer|basic|token)\s+/i, '')
    const of = known().filter(({ value }) => writtenForms(value).includes(bare))
    const key = of[0]?.value ?? bare
    const number = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, number)
    return of.length === 0 ? { number } : { number, env: of.map(({ name }) => name) }
  }
}
