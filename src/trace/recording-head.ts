/**
 * `recording.json` in `<name>.sftrace.part/`, beside the journal: what a bundle needs that the journal does not say, so that a
 * recording whose processes were all killed can still be read and finished. Redacted before it is written.
 */
import type { Mark } from '../json/mark.ts'
import type { Json } from '../json/value.ts'
import type { OriginHeader } from './origin.ts'
import type { Finding } from './redact.ts'
import type { ProfileName } from './redaction-profile.ts'

export interface RecordingHead {
  readonly format: 'stepfork-recording'
  readonly version: 1
  readonly agent_name: string
  readonly run_id: string
  /** The run's input, redacted, what was redacted in it, and what in it JSON lacks. */
  readonly input: Json
  readonly findings: readonly Finding[]
  readonly marks?: readonly Mark[]
  /** Absent in a recording of an older version: compatible. */
  readonly redaction?: ProfileName
  readonly agent: OriginHeader['agent']
  readonly environment: OriginHeader['environment']
}
