/** A trace of the other system, grudge: one run as a list of steps. Names are those of its files. */
import type { Json, JsonObject } from '../json/value.ts'

export interface Trace {
  readonly run_id: string
  readonly agent_version: string
  readonly task: string
  readonly outcome: 'ok' | 'failed'
  readonly steps: readonly Step[]
}

export type Step = ModelCall | ToolCall | ToolResult | StateDiff | FinalAnswer

interface StepBase {
  /** From 0; no two steps of a trace have the same. */
  readonly idx: number
  /** `YYYY-MM-DDTHH:MM:SS`, then `.ffffff` when there is a fraction, then `Z`, an offset or nothing. */
  readonly ts: string
  readonly run_id: string
  readonly parent_idx: number | null
  readonly meta: JsonObject
}

export interface ModelCall extends StepBase {
  readonly kind: 'model_call'
  readonly model: string | null
  readonly messages: readonly JsonObject[] | null
  readonly prompt: string | null
  readonly response: Json
}

export interface ToolCall extends StepBase {
  readonly kind: 'tool_call'
  readonly tool: string
  readonly args: JsonObject
  readonly call_id: string
}

export interface ToolResult extends StepBase {
  readonly kind: 'tool_result'
  readonly call_id: string
  readonly content: Json
  readonly error: string | null
}

export interface StateDiff extends StepBase {
  readonly kind: 'state_diff'
  readonly diff: JsonObject
}

export interface FinalAnswer extends StepBase {
  readonly kind: 'final_answer'
  readonly answer: string | null
}

/** A trace as a literal: what has a default may be left out. */
export interface TraceInput {
  readonly run_id: string
  readonly agent_version: string
  readonly task: string
  readonly outcome: 'ok' | 'failed'
  readonly steps: readonly StepInput[]
}

export type StepInput = Step extends infer S ? (S extends Step ? InputOf<S> : never) : never

type Defaulted =
  | 'parent_idx'
  | 'meta'
  | 'model'
  | 'messages'
  | 'prompt'
  | 'response'
  | 'error'
  | 'diff'
  | 'answer'

type InputOf<S> = Omit<S, Defaulted> & { readonly [K in keyof S as K extends Defaulted ? K : never]?: S[K] }
