import { keepSpelling } from '../json/spelling.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { frozenJson, frozenMembers } from './frozen-json.ts'
import {
  below,
  type Members,
  nameAt,
  objectAt,
  optional,
  type Place,
  refuse,
  required,
  textAt,
} from './place.ts'
import { stepTime } from './step-time.ts'
import type { Step } from './trace.ts'

const KINDS = ['model_call', 'tool_call', 'tool_result', 'state_diff', 'final_answer'] as const

/** A step with its defaults filled in; members that the format does not know are kept, unlike those of a cassette. */
export function readStep(value: unknown, place: Place): Step | null {
  const given = objectAt(value, place)
  if (given === null) return null
  const kind = required(given, 'kind', place, kindAt)
  if (kind === null) return null
  const problems = place.problems.length
  const step = { ...unknownMembers(given, place), kind, ...shared(given, place), ...own(kind, given, place) }
  keepSpelling(given, step, ['idx', 'parent_idx', 'ts'])
  return place.problems.length > problems ? null : (Object.freeze(step) as unknown as Step)
}

function kindAt(value: unknown, place: Place): Step['kind'] | null {
  return KINDS.find(kind => kind === value) ?? refuse(place, `must be ${KINDS.join(', ')}`)
}

function shared(given: Members, place: Place) {
  return {
    idx: required(given, 'idx', place, indexAt),
    ts: required(given, 'ts', place, timeAt),
    run_id: required(given, 'run_id', place, textAt),
    parent_idx: optional(given, 'parent_idx', place, null, indexAt),
    meta: withDefault(given, 'meta', place),
  }
}

function own(kind: Step['kind'], given: Members, place: Place) {
  switch (kind) {
    case 'model_call':
      return {
        model: optional(given, 'model', place, null, textAt),
        messages: optional(given, 'messages', place, null, messagesAt),
        prompt: optional(given, 'prompt', place, null, textAt),
        response: optional(given, 'response', place, null, frozenJson),
      }
    case 'tool_call':
      return {
        tool: required(given, 'tool', place, nameAt),
        args: required(given, 'args', place, frozenMembers),
        call_id: required(given, 'call_id', place, nameAt),
      }
    case 'tool_result':
      return {
        call_id: required(given, 'call_id', place, nameAt),
        content: required(given, 'content', place, frozenJson),
        error: optional(given, 'error', place, null, textAt),
      }
    case 'state_diff':
      return { diff: withDefault(given, 'diff', place) }
    case 'final_answer':
      return { answer: optional(given, 'answer', place, null, textAt) }
  }
}

const KNOWN = ['kind', 'idx', 'ts', 'run_id', 'parent_idx', 'meta']

/** The own members are written over them. */
function unknownMembers(given: Members, place: Place): JsonObject {
  const unknown = Object.entries(given).filter(([name]) => !KNOWN.includes(name))
  const ignored: Place = { ...place, problems: [] }
  return Object.fromEntries(unknown.map(([name, value]) => [name, frozenJson(value, below(ignored, name))]))
}

/** Missing is `{}`, null is wrong. */
function withDefault(given: Members, name: string, place: Place): JsonObject | null {
  return given[name] === undefined ? Object.freeze({}) : frozenMembers(given[name], below(place, name))
}

/** Whole and not negative; digits as a text and `1.0` count, as grudge reads them. */
function indexAt(value: unknown, place: Place): number | null {
  const index = typeof value === 'string' && /^\s*\+?\d+\s*$/.test(value) ? Number(value) : value
  const isIndex = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0
  return isIndex ? index : refuse(place, 'must be a whole number, 0 or more')
}

function timeAt(value: unknown, place: Place): string | null {
  const time = typeof value === 'string' || typeof value === 'number' ? stepTime(value) : null
  return time ?? refuse(place, 'must be a time, as in 2026-01-31T12:00:00Z')
}

function messagesAt(value: unknown, place: Place): Json | null {
  if (!Array.isArray(value)) return refuse(place, 'must be a list of objects')
  for (const [at, message] of value.entries())
    if (!isJsonObject(message)) refuse(below(place, at), 'must be an object')
  return frozenJson(value, place)
}
