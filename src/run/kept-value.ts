import type { Mark } from '../json/mark.ts'
import { carry } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'
import { marksAfter } from '../trace/marks-after.ts'
import type { Finding } from '../trace/redact.ts'
import { redactBytes } from '../trace/redact-bytes.ts'
import type { Redactor } from '../trace/redactor.ts'

/** What a fact keeps of a runtime value: a redacted copy, where something was redacted, and what in it JSON lacks. */
export interface KeptValue {
  readonly value: Json
  readonly findings?: readonly Finding[]
  readonly marks?: readonly Mark[]
}

/** What of a result does not come back in a replay: see `Carried`. */
export interface KeptResult extends KeptValue {
  readonly lost: string | null
}

/** Throws NOT_JSON for a value that has no JSON form. */
export function keptValue(raw: unknown, redactor: Redactor): KeptValue {
  const { lost, ...kept } = keptResult(raw, redactor)
  return kept
}

export function keptResult(raw: unknown, redactor: Redactor): KeptResult {
  const carried = carry(raw)
  const { value, findings } = redactor.redact(redactBytes(carried.value, carried.marks, redactor))
  const marks = marksAfter(value, carried.marks, findings, redactor)
  return {
    value,
    ...(findings.length > 0 && { findings }),
    ...(marks.length > 0 && { marks }),
    lost: carried.lost,
  }
}
