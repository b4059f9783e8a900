import { snapshot } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'
import { type Finding, redact } from '../trace/redact.ts'

/** What a fact keeps of a runtime value: a redacted copy, and where something was redacted. */
export interface KeptValue {
  readonly value: Json
  readonly findings?: readonly Finding[]
}

/** Throws NOT_JSON for a value that has no JSON form. */
export function keptValue(raw: unknown): KeptValue {
  const { value, findings } = redact(snapshot(raw))
  return findings.length > 0 ? { value, findings } : { value }
}
