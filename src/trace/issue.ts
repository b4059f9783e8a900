/** What validation finds; the codes are those of the Python implementation and stable. */
export type IssueCode = UnreadableCode | RuleCode | IntegrityCode | 'secret_found'

/** The bundle cannot be loaded. */
export type UnreadableCode =
  | 'missing_file'
  | 'invalid_json'
  | 'invalid_event'
  | 'invalid_manifest'
  | 'unsupported_schema'

/** It loads, but its events contradict each other or the manifest. */
export type RuleCode =
  | 'event_count_mismatch'
  | 'duplicate_event_id'
  | 'run_id_mismatch'
  | 'step_order'
  | 'invalid_parent'
  | 'parent_not_earlier'
  | 'run_start_count'
  | 'missing_error_event'
  | 'payload_hash_mismatch'

/** Its files are not what `integrity.json` says, or nothing says what they were. */
export type IntegrityCode =
  | 'integrity_unverified'
  | 'integrity_mismatch'
  | 'integrity_metadata_invalid'
  | 'integrity_algorithm_unsupported'
  | 'missing_file'

export interface Issue {
  readonly code: IssueCode
  readonly message: string
  readonly event_id: string | null
  readonly step: number | null
  /** A file, with its line or member: `run.sftrace/events.jsonl:3`, `manifest.json:totals.events`. */
  readonly location: string | null
}
