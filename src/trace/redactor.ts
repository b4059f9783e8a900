/**
 * One redactor a run: the profile, the secrets that the run's own environment tells, and a number for each secret that it has
 * met, so that a replay can compare which placeholders stood for the same one. Secrets stay in memory.
 */
import type { Json } from '../json/value.ts'
import { compatibleProfile } from './compatible-profile.ts'
import { isWorthLearning, type KnownSecret, patternOf, writtenForms } from './known-secrets.ts'
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
  const secrets = knownSecrets(known, name === 'strong')
  const markOf = createRegister(secrets.all)
  const marked = ({ path, reason, secrets: hidden }: OpenFinding) => ({
    path,
    reason,
    secrets: hidden.map(secret => (secret === null ? null : markOf(secret))),
  })
  return {
    profile: name,
    redact: value => {
      const first = redactOpenly(value, profile, secrets.pattern())
      const isNew = secrets.learn(first.findings)
      const { value: redacted, findings } = isNew ? redactOpenly(value, profile, secrets.pattern()) : first
      return { value: redacted, findings: findings.map(marked) }
    },
    knows: variable => known().some(secret => secret.name === variable),
  }
}

/** More would make every look at a text slow. */
const MOST_LEARNED = 20

/** The secrets of the environment, and those that stood under a telling name so far. */
function knownSecrets(known: () => readonly KnownSecret[], learns: boolean) {
  const learned = new Map<string, KnownSecret>()
  let [from, count] = [NONE, 0]
  let all = NONE
  let pattern: SecretPattern | null = null
  const refresh = (): void => {
    const now = known()
    if (now === from && learned.size === count) return
    from = now
    count = learned.size
    all = [...now, ...learned.values()]
    pattern = patternOf(all)
  }
  return {
    all: (): readonly KnownSecret[] => {
      refresh()
      return all
    },
    pattern: (): SecretPattern | null => {
      refresh()
      return pattern
    },
    /** Whether there is one that was not known. */
    learn: (findings: readonly OpenFinding[]): boolean => {
      if (!learns) return false
      const before = learned.size
      for (const { reason, secrets } of findings) {
        const [secret] = secrets
        if (reason !== 'sensitive_key' || secret == null || learned.size >= MOST_LEARNED) continue
        if (isWorthLearning(secret)) learned.set(secret, { name: null, value: secret })
      }
      return learned.size > before
    },
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
    const env = of.flatMap(({ name }) => (name === null ? [] : [name]))
    return env.length === 0 ? { number } : { number, env }
  }
}
