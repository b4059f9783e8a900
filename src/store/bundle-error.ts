import { type ErrorCode, StepforkError } from '../errors.ts'
import type { Issue, UnreadableCode } from '../trace/issue.ts'

/** A bundle that cannot be loaded, with the issues that `validate` prints for it. */
export class BundleError extends StepforkError {
  static override readonly label: string = 'BundleError'
  override readonly name: string = 'BundleError'
  readonly issues: readonly Issue[]

  constructor(code: ErrorCode, issues: readonly Issue[], hint: string | null, options?: ErrorOptions) {
    super(code, issues.map(issue => issue.message).join('; '), hint, options)
    this.issues = issues
  }
}

/** What is wrong with one file: `fault` is the end of a sentence that begins with the place. */
export interface Fault {
  readonly code: UnreadableCode
  /** The file, and the line after a colon: `run.sftrace/events.jsonl:3`. */
  readonly place: string
  readonly fault: string
  readonly hint?: string
  readonly cause?: unknown
}

/** Raises BUNDLE_INVALID, or BUNDLE_UNSUPPORTED for another schema version. */
export function refuseBundle({ code, place, fault, hint, cause }: Fault): never {
  const issue = issueAt(code, place, `${place}: ${fault}`)
  const errorCode = code === 'unsupported_schema' ? 'BUNDLE_UNSUPPORTED' : 'BUNDLE_INVALID'
  throw new BundleError(errorCode, [issue], hint ?? HINTS[code], { cause })
}

export function issueAt(code: UnreadableCode, location: string | null, message: string): Issue {
  return { code, message, event_id: null, step: null, location }
}

const HINTS: Record<UnreadableCode, string> = {
  missing_file: 'A bundle is a folder with manifest.json, events.jsonl and redactions.json.',
  invalid_json: 'The file was cut off or edited by hand: copy the bundle again, or record the run again.',
  invalid_event: 'The file was edited by hand or written by another version: record the run again.',
  invalid_manifest: 'The file was edited by hand or written by another version: record the run again.',
  unsupported_schema: 'This version reads schema 0.1: update stepfork, or record the run again.',
}
