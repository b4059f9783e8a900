/** Step records as JSON text, byte for byte as the Rust crates write them. */
import type { Json } from '../json/value.ts'
import { type Tree, treeOf, treeText } from './json-tree.ts'
import { completeInference, completeStep } from './read-record.ts'
import type { InferenceRecord, StepRecord, ToolCallRecord, UsageRecord } from './step-record.ts'

/**
 * The text of a step record, on one line: members in the order of the format, those with a default always written, names
 * inside free values sorted. Raises STEP_RECORD_INVALID for a record that could not be read again.
 */
export function formatStepRecord(record: StepRecord): string {
  const { key, inference, tool_calls, state_snapshot } = completeStep(record)
  const { workflow_id, run_id, super_step } = key
  const parts = [
    `"key":{"workflow_id":${text(workflow_id)},"run_id":${text(run_id)},"super_step":${super_step}}`,
    `"inference":${inference === null ? 'null' : inferenceText(inference)}`,
    `"tool_calls":[${tool_calls.map(toolCallText).join(',')}]`,
    `"state_snapshot":${free(state_snapshot)}`,
  ]
  return `{${parts.join(',')}}`
}

/** As `formatStepRecord`, for the `inference` member alone. */
export function formatInferenceRecord(record: InferenceRecord): string {
  return inferenceText(completeInference(record))
}

function inferenceText(record: InferenceRecord): string {
  const parts = [
    `"provider":${text(record.provider)}`,
    `"model_id":${text(record.model_id)}`,
    `"model_version":${text(record.model_version)}`,
    `"params_hash":${text(record.params_hash)}`,
    `"prompt_hash":${text(record.prompt_hash)}`,
    `"raw_completion":${text(record.raw_completion)}`,
    `"finish_reason":${record.finish_reason === null ? 'null' : text(record.finish_reason)}`,
    `"usage":${usageText(record.usage)}`,
    `"tool_calls":${free(record.tool_calls)}`,
  ]
  return `{${parts.join(',')}}`
}

function usageText(usage: UsageRecord): string {
  const { prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens } = usage
  return JSON.stringify({ prompt_tokens, completion_tokens, reasoning_tokens, cached_tokens })
}

function toolCallText(call: ToolCallRecord): string {
  const parts = [
    `"tool":${text(call.tool)}`,
    `"args_hash":${text(call.args_hash)}`,
    `"ret":${treeText(returnOf(call))}`,
    `"is_side_effecting":${call.is_side_effecting}`,
  ]
  return `{${parts.join(',')}}`
}

/** By way of the whole call: a `ret` that is only a number has no spelling of its own. */
function returnOf(call: ToolCallRecord): Tree {
  const tree = treeOf(call)
  const member = tree.kind === 'object' ? tree.members.find(([name]) => name === 'ret') : undefined
  return member?.[1] ?? treeOf(call.ret)
}

function free(value: Json): string {
  return treeText(treeOf(value))
}

function text(value: string): string {
  return JSON.stringify(value)
}
