/**
 * A recorded run in memory. Payloads stay on disk: an event knows its line in `events.jsonl` and is read again
 * when its payload is wanted.
 */
import type { Determinism } from './determinism.ts'
import type { OriginHeader, OriginLine } from './origin.ts'
import type { SecretLine } from './secret-lines.ts'
import type { SpecialValue } from './special-values.ts'

export type EventType =
  | 'run_start'
  | 'llm_request'
  | 'llm_response'
  | 'tool_call'
  | 'tool_result'
  | 'state_change'
  | 'error'
  | 'run_end'

export type EventStatus = 'ok' | 'error' | 'skipped'
export type ReplayPolicy = 'frozen' | 'live' | 'manual' | 'forbidden' | 'derived'
export type RunStatus = 'running' | 'completed' | 'failed'

/** A line of `events.jsonl`: byte offset and byte length, without its newline. */
export interface Slice {
  readonly offset: number
  readonly length: number
}

/**
 * All of an event but its payloads. Read its members, do not spread it: in a bundle that was read they are kept in
 * tables and come by getters (store/head-table.ts).
 */
export interface EventHead {
  readonly id: string
  readonly parentId: string | null
  readonly step: number
  readonly type: EventType
  /** Milliseconds since the epoch, with fractions. */
  readonly time: number
  readonly status: EventStatus
  readonly policy: ReplayPolicy
  readonly inputHash: string | null
  readonly outputHash: string | null
  /** Tool name, model, state key, error type or run status, by type; `run_start` for a run_start. */
  readonly label: string
  /** Provider of an llm_request; null elsewhere. */
  readonly provider: string | null
  readonly line: Slice
}

export interface Failure {
  readonly type: string
  readonly message: string
  readonly step: number | null
}

/** `manifest.json`, as read: member names are those of the file. */
export interface Manifest {
  readonly format: 'stepfork'
  readonly schema_version: '0.1'
  readonly run_id: string
  readonly agent_name: string
  readonly created_at: string
  readonly status: RunStatus
  readonly failure: Failure | null
  readonly environment: {
    readonly python: string | null
    readonly os: string | null
    readonly stepfork_version: string | null
  }
  readonly totals: {
    readonly events: number
    readonly llm_calls: number
    readonly tool_calls: number
    readonly cost_usd: number | null
    readonly duration_ms: number | null
  }
}

export type IntegrityStatus = 'verified' | 'mismatch' | 'unverified_legacy'

export interface Bundle {
  readonly kind: 'bundle'
  /** The directory, as the user wrote it. */
  readonly path: string
  readonly manifest: Manifest
  readonly events: readonly EventHead[]
  readonly integrity: IntegrityStatus
  /** Who recorded it and how; null in a bundle that the Python implementation wrote. */
  readonly origin: { readonly header: OriginHeader; readonly log: readonly OriginLine[] } | null
  /** Lines of `x-values.jsonl`; empty without that sidecar. */
  readonly values: readonly SpecialValue[]
  /** Lines of `x-secrets.jsonl`. */
  readonly secrets: readonly SecretLine[]
  /** Which calls have a line in `x-exchanges.jsonl`, and where; read again when it is wanted. */
  readonly exchanges: readonly { readonly event: string; readonly line: Slice }[]
  /** What clock and chance gave; null without `x-determinism.jsonl`. */
  readonly determinism: Determinism | null
}
