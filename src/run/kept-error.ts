import { recordError } from '../boundary/recorded-error.ts'
import type { RecordedError } from '../json/error-record.ts'
import type { Json } from '../json/value.ts'
import { marksAfter } from '../trace/marks-after.ts'
import type { Finding } from '../trace/redact.ts'
import { redactBytes } from '../trace/redact-bytes.ts'
import type { Redactor } from '../trace/redactor.ts'

/** What a fact keeps of something thrown: a redacted record, and where in it something was redacted. */
export interface KeptError {
  readonly error: RecordedError
  readonly findings?: readonly Finding[]
}

export function keptError(thrown: unknown, redactor: Redactor): KeptError {
  const { marks = [], ...recorded } = recordError(thrown)
  const { value, findings } = redactor.redact(redactBytes(recorded as unknown as Json, marks, redactor))
  const left = marksAfter(value, marks, findings, redactor)
  const error = { ...(value as unknown as RecordedError), ...(left.length > 0 && { marks: left }) }
  return findings.length > 0 ? { error, findings } : { error }
}

/** An error's stack begins with its message. */
export function keptStack(thrown: unknown, redactor: Redactor): string | null {
  const stack = thrown instanceof Error ? thrown.stack : undefined
  return stack === undefined ? null : (redactor.redact(stack).value as string)
}
