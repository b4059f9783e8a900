/** What a model said in one turn, as an agent uses it; member names are those of the Rust crates. */
import { isStepforkError, TurnReplayError } from '../errors.ts'
import { fieldsOf, textAt } from './fields.ts'
import { treeOf } from './json-tree.ts'
import { completeInference } from './read-record.ts'
import type { InferenceRecord } from './step-record.ts'

const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const

export type FinishReason = (typeof FINISH_REASONS)[number]

export interface TurnUsage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cached_tokens: number
}

export interface TurnToolCall {
  readonly id: string
  readonly name: string
  /** What the model wrote, normally JSON; a replay does not parse it. */
  readonly arguments_raw: string
}

export interface Turn {
  readonly text: string
  readonly usage: TurnUsage
  readonly finish_reason: FinishReason | null
  readonly tool_calls: readonly TurnToolCall[]
}

/**
 * The turn that a record was made of. Raises STEP_RECORD_INVALID when it is no inference record, and `TurnReplayError` of
 * kind `decode` for a finish reason or a tool call that no turn can have.
 */
export function turnFromRecord(record: InferenceRecord): Turn {
  const decoded = decodeTurn(record)
  if (typeof decoded !== 'string') return decoded
  throw new TurnReplayError('decode', decoded)
}

/** The turn, or what is wrong with the record; the finish reason is looked at first. */
export function decodeTurn(record: InferenceRecord): Turn | string {
  const { raw_completion, usage, finish_reason, tool_calls } = completeInference(record)
  if (finish_reason !== null && !isFinishReason(finish_reason)) {
    return `the recorded finish reason ${JSON.stringify(finish_reason)} is none of ${FINISH_REASONS.join(', ')}`
  }
  const calls = tool_calls.map(decodeCall)
  const fault = calls.find(call => typeof call === 'string')
  if (fault !== undefined) return fault
  return {
    text: raw_completion,
    usage: {
      input_tokens: usage.prompt_tokens,
      output_tokens: usage.completion_tokens,
      reasoning_tokens: usage.reasoning_tokens,
      cached_tokens: usage.cached_tokens,
    },
    finish_reason,
    tool_calls: calls.filter(call => typeof call !== 'string'),
  }
}

function isFinishReason(text: string): text is FinishReason {
  return FINISH_REASONS.some(reason => reason === text)
}

function decodeCall(value: unknown, at: number): TurnToolCall | string {
  try {
    const call = fieldsOf(treeOf(value), ['tool_calls', at], ['id', 'name', 'arguments_raw'])
    return {
      id: textAt(call, 'id'),
      name: textAt(call, 'name'),
      arguments_raw: textAt(call, 'arguments_raw'),
    }
  } catch (error) {
    if (isStepforkError(error)) return error.message
    throw error
  }
}
