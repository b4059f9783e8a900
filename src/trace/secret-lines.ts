/**
 * The sidecar `x-secrets.jsonl`: which placeholders stood for the same secret, as numbers, so that a replay with other secrets
 * can tell them apart. Holds nothing of a secret. Optional; described in docs/format.md.
 */
import type { Finding, SecretMark } from './redact.ts'

export interface SecretLine {
  readonly event: string
  /** JSON Pointer into the event. */
  readonly path: string
  /** One for each placeholder in the text there; null for one that stood there before anything was hidden. */
  readonly secrets: readonly (SecretMark | null)[]
}

export function secretLines(event: string, findings: readonly Finding[] = []): SecretLine[] {
  return findings.flatMap(({ path, secrets = [] }) =>
    secrets.some(mark => mark !== null) ? [{ event, path, secrets }] : [],
  )
}
