/** Step records from their JSON text, and from JavaScript values that may lack what has a default. */
import { isStepforkError, StepforkError } from '../errors.ts'
import type { JsonObject } from '../json/value.ts'
import {
  countAt,
  type Fields,
  fieldsOf,
  flagAt,
  freeValue,
  HINT,
  itemsAt,
  optionalTextAt,
  refuse,
  requiredAt,
  textAt,
} from './fields.ts'
import { keepSpelling, readTree, type Tree, treeOf } from './json-tree.ts'
import {
  type CheckpointKey,
  type InferenceRecord,
  MAX_SUPER_STEP,
  MAX_TOKENS,
  type StepRecord,
  type ToolCallRecord,
  type UsageRecord,
} from './step-record.ts'

/**
 * A step record from its JSON text. Only `key` must be there; unknown members are passed over, as the crates do. Spellings
 * that JavaScript loses (`1.0`) come back when the record is written. Raises STEP_RECORD_INVALID, naming the first fault.
 */
export function parseStepRecord(text: string): StepRecord {
  return readStep(parsed(text), [])
}

/** As `parseStepRecord`, for the `inference` member alone. */
export function parseInferenceRecord(text: string): InferenceRecord {
  return readInference(parsed(text), [])
}

/** A copy of the record with all its defaults filled in. Raises STEP_RECORD_INVALID; paths begin at `place`. */
export function completeStep(value: unknown, place: Fields['place'] = []): StepRecord {
  return readStep(built(value), place)
}

export function completeInference(value: unknown): InferenceRecord {
  return readInference(built(value), [])
}

function parsed(text: string): Tree {
  return asRecord(() => readTree(text))
}

function built(value: unknown): Tree {
  return asRecord(() => treeOf(value))
}

function asRecord(read: () => Tree): Tree {
  try {
    return read()
  } catch (cause) {
    if (!isStepforkError(cause)) throw cause
    throw new StepforkError('STEP_RECORD_INVALID', `the record cannot be read: ${cause.message}`, HINT, {
      cause,
    })
  }
}

function readStep(tree: Tree, place: Fields['place']): StepRecord {
  const step = fieldsOf(tree, place, ['key', 'inference', 'tool_calls', 'state_snapshot'])
  const key = readKey(requiredAt(step, 'key'), [...place, 'key'])
  const inference = step.members.get('inference')
  const isNull = inference === undefined || (inference.kind === 'literal' && inference.value === null)
  return {
    key,
    inference: isNull ? null : readInference(inference, [...place, 'inference']),
    tool_calls: itemsAt(step, 'tool_calls').map((item, at) =>
      readToolCall(item, [...place, 'tool_calls', at]),
    ),
    state_snapshot: readSnapshot(step),
  }
}

function readKey(tree: Tree, place: Fields['place']): CheckpointKey {
  const key = fieldsOf(tree, place, ['workflow_id', 'run_id', 'super_step'])
  return {
    workflow_id: textAt(key, 'workflow_id'),
    run_id: textAt(key, 'run_id'),
    super_step: exact(countAt(key, 'super_step', MAX_SUPER_STEP)),
  }
}

function exact(count: bigint): number | bigint {
  return Number.isSafeInteger(Number(count)) ? Number(count) : count
}

const INFERENCE = [
  'provider',
  'model_id',
  'model_version',
  'params_hash',
  'prompt_hash',
  'raw_completion',
  'finish_reason',
  'usage',
  'tool_calls',
] as const

function readInference(tree: Tree, place: Fields['place']): InferenceRecord {
  const inference = fieldsOf(tree, place, INFERENCE)
  return {
    provider: textAt(inference, 'provider'),
    model_id: textAt(inference, 'model_id'),
    model_version: textAt(inference, 'model_version'),
    params_hash: textAt(inference, 'params_hash'),
    prompt_hash: textAt(inference, 'prompt_hash'),
    raw_completion: textAt(inference, 'raw_completion'),
    finish_reason: optionalTextAt(inference, 'finish_reason'),
    usage: readUsage(requiredAt(inference, 'usage'), [...place, 'usage']),
    tool_calls: readModelCalls(inference),
  }
}

function readModelCalls(inference: Fields): InferenceRecord['tool_calls'] {
  const items = itemsAt(inference, 'tool_calls')
  const values = items.map((item, at) => freeValue(item, [...inference.place, 'tool_calls', at]))
  return keepSpelling(values, { kind: 'list', items })
}

function readUsage(tree: Tree, place: Fields['place']): UsageRecord {
  const usage = fieldsOf(tree, place, [
    'prompt_tokens',
    'completion_tokens',
    'reasoning_tokens',
    'cached_tokens',
  ])
  const required = (name: string): number => Number(countAt(usage, name, MAX_TOKENS))
  const optional = (name: string): number => (usage.members.has(name) ? required(name) : 0)
  return {
    prompt_tokens: required('prompt_tokens'),
    completion_tokens: required('completion_tokens'),
    reasoning_tokens: optional('reasoning_tokens'),
    cached_tokens: optional('cached_tokens'),
  }
}

function readToolCall(tree: Tree, place: Fields['place']): ToolCallRecord {
  const call = fieldsOf(tree, place, ['tool', 'args_hash', 'ret', 'is_side_effecting'])
  const record = {
    tool: textAt(call, 'tool'),
    args_hash: textAt(call, 'args_hash'),
    ret: freeValue(requiredAt(call, 'ret'), [...place, 'ret']),
    is_side_effecting: flagAt(call, 'is_side_effecting'),
  }
  return keepSpelling(record, { kind: 'object', members: [...call.members] })
}

function readSnapshot(step: Fields): JsonObject {
  const tree = step.members.get('state_snapshot')
  if (tree === undefined) return {}
  const place = [...step.place, 'state_snapshot']
  if (tree.kind !== 'object') return refuse(place, 'it is no object')
  return keepSpelling(freeValue(tree, place) as JsonObject, tree)
}
