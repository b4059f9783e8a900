/**
 * One super-step of a run as the Rust crates of atomr write it, member names included: what the model was asked and said,
 * and what the tools gave back. Free values (`Json`) may hold anything.
 */
import type { Json, JsonObject } from '../json/value.ts'

/** Largest step number, that of an unsigned integer of 64 bits. */
export const MAX_SUPER_STEP = 2n ** 64n - 1n
/** Largest number of tokens, that of an unsigned integer of 32 bits. */
export const MAX_TOKENS = 2n ** 32n - 1n

export interface CheckpointKey {
  readonly workflow_id: string
  readonly run_id: string
  /** From 0 to 2^64-1; read as a bigint beyond 2^53, so that none is rounded. */
  readonly super_step: number | bigint
}

export interface UsageRecord {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly reasoning_tokens: number
  readonly cached_tokens: number
}

export interface InferenceRecord {
  /** Free text; `open_ai` and `anthropic` are known. */
  readonly provider: string
  readonly model_id: string
  readonly model_version: string
  /** Hashes of the caller's making, or ours (request-hash.ts); empty when nobody made one. */
  readonly params_hash: string
  readonly prompt_hash: string
  readonly raw_completion: string
  readonly finish_reason: string | null
  readonly usage: UsageRecord
  readonly tool_calls: readonly Json[]
}

export interface ToolCallRecord {
  readonly tool: string
  readonly args_hash: string
  /** By custom `{"Content": value}`, `{"ContentAndArtifact": {content, artifact}}` or `{"Command": …}`. */
  readonly ret: Json
  readonly is_side_effecting: boolean
}

export interface StepRecord {
  readonly key: CheckpointKey
  /** Null in a step that only ran tools. */
  readonly inference: InferenceRecord | null
  readonly tool_calls: readonly ToolCallRecord[]
  readonly state_snapshot: JsonObject
}
