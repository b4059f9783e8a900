import type { Difference } from '../json/compare.ts'
import type { MadeFact } from '../trace/journal.ts'
import { REDACTED } from '../trace/redact-text.ts'

/** Where the texts are equal, redacted, and the secrets in them are not. */
export function secretDifferences({ otherSecrets = [] }: MadeFact): Difference[] {
  return otherSecrets.map(path => ({ path, change: 'changed', recorded: REDACTED, actual: REDACTED }))
}
