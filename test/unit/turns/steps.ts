/** A run of two turns: the model asks for a tool, gets its answer, and says the last word. */
import { recordToolCall, recordTurn } from '../../../src/turns/record-turn.ts'
import type { TurnRequest } from '../../../src/turns/request-hash.ts'
import type { StepRecord, ToolCallRecord } from '../../../src/turns/step-record.ts'
import type { Turn, TurnToolCall } from '../../../src/turns/turn.ts'

export const ASKS: TurnToolCall = { id: 'c1', name: 'place_order', arguments_raw: '{"qty":2}' }

export function turn(text: string, calls: readonly TurnToolCall[] = []): Turn {
  return {
    text,
    usage: { input_tokens: 10, output_tokens: 7, reasoning_tokens: 2, cached_tokens: 4 },
    finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
    tool_calls: calls,
  }
}

export interface StepParts {
  readonly turn?: Turn
  readonly request?: TurnRequest
  readonly hashes?: { readonly promptHash: string; readonly paramsHash: string }
  readonly tools?: readonly ToolCallRecord[]
}

export function stepsOf(parts: readonly StepParts[]): StepRecord[] {
  return parts.map(({ turn, request, hashes, tools = [] }, super_step) => {
    const origin = {
      provider: 'anthropic',
      modelId: 'claude',
      modelVersion: '1',
      ...(request && { request }),
      ...hashes,
    }
    return {
      key: { workflow_id: 'wf', run_id: 'r', super_step: 10 + super_step },
      inference: turn === undefined ? null : recordTurn(origin, turn),
      tool_calls: tools,
      state_snapshot: {},
    }
  })
}

export function ordered(qty: number, returned: unknown, isSideEffecting = true): ToolCallRecord {
  return recordToolCall({ tool: 'place_order', args: { qty }, isSideEffecting }, returned)
}
