import { snapshot } from '../json/snapshot.ts'
import { hashOf, requestHashes, type TurnRequest } from './request-hash.ts'
import type { InferenceRecord, ToolCallRecord } from './step-record.ts'
import type { Turn } from './turn.ts'

export interface TurnOrigin {
  /** `open_ai`, `anthropic`, or any other text. */
  readonly provider: string
  readonly modelId: string
  readonly modelVersion: string
  /** What the model was asked: hashed, not kept. */
  readonly request?: TurnRequest
  /** Hashes of the caller's own making, instead of those of the request. */
  readonly paramsHash?: string
  readonly promptHash?: string
}

/** The record of a turn, from which `turnFromRecord` gives the same turn back. Without request and hashes they are empty. */
export function recordTurn(origin: TurnOrigin, turn: Turn): InferenceRecord {
  const hashes = origin.request === undefined ? null : requestHashes(origin.request)
  const { input_tokens, output_tokens, reasoning_tokens, cached_tokens } = turn.usage
  return {
    provider: origin.provider,
    model_id: origin.modelId,
    model_version: origin.modelVersion,
    params_hash: origin.paramsHash ?? hashes?.paramsHash ?? '',
    prompt_hash: origin.promptHash ?? hashes?.promptHash ?? '',
    raw_completion: turn.text,
    finish_reason: turn.finish_reason,
    usage: {
      prompt_tokens: input_tokens,
      completion_tokens: output_tokens,
      reasoning_tokens,
      cached_tokens,
    },
    tool_calls: turn.tool_calls.map(({ arguments_raw, id, name }) => ({ arguments_raw, id, name })),
  }
}

export interface ToolCallOrigin {
  readonly tool: string
  /** The tool's one argument: hashed, not kept. */
  readonly args: unknown
  /** True: a replay answers the call from the record. False: it runs the tool again. */
  readonly isSideEffecting: boolean
}

/** The record of what a tool gave back; `undefined` is kept as null. Raises NOT_JSON for a value that is no JSON. */
export function recordToolCall(origin: ToolCallOrigin, returned: unknown): ToolCallRecord {
  return {
    tool: origin.tool,
    args_hash: hashOf(origin.args),
    ret: { Content: snapshot(returned) },
    is_side_effecting: origin.isSideEffecting,
  }
}
