import { real } from '../patch.ts'
import { type KnownSecret, secretsOf } from '../trace/known-secrets.ts'

/** How long, in ms, what was read is taken for what is set. */
const FRESH = 10
/** At its beginning an agent loads its settings; then each look counts. */
const FIRST_LOOKS = 50

/**
 * The secrets among the variables, looked at again and again: an agent may load its `.env` file at any time. The very list of
 * before when nothing changed.
 */
export function watchEnvironment(environment: NodeJS.ProcessEnv): () => readonly KnownSecret[] {
  let secrets: readonly KnownSecret[] = []
  let lookedAt = Number.NEGATIVE_INFINITY
  let looks = 0
  return () => {
    const now = real.now()
    if (looks >= FIRST_LOOKS && now - lookedAt < FRESH) return secrets
    looks++
    lookedAt = now
    // A variable that is gone, or changed, was a secret all the same.
    const found = [
      ...new Map([...secrets, ...secretsOf(environment)].map(s => [`${s.name}=${s.value}`, s])).values(),
    ]
    if (found.length !== secrets.length) secrets = found
    return secrets
  }
}
