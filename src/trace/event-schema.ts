/**
 * The shapes of the eight events, checked where bytes come in; fields and defaults are those of the Python
 * implementation 0.2.1. Strict as Python is: an unknown field is refused. Lenient where Python is: a step may be `"3"`
 * or `true`, a time stamp an epoch number, and most fields may be missing. Stricter in one point: an event without id,
 * run or time is refused, where Python makes up new ones each time it loads.
 */
import * as z from 'zod/mini'
import { isJsonObject } from '../json/value.ts'
import type { EventType } from './bundle.ts'
import {
  amount,
  type Checked,
  check,
  looseAmount,
  looseWhole,
  maybe,
  runStatus,
  text,
  whole,
} from './field-schema.ts'
import { parseTimestamp } from './timestamp.ts'

/** An event as read, payloads parsed. */
export type ReadEvent = z.infer<Schemas[EventType]>

type Schemas = ReturnType<typeof eventSchemas>

export interface TimedEvent {
  readonly event: ReadEvent
  /** Milliseconds since the epoch, with fractions. */
  readonly time: number
}

export function checkEvent(value: unknown): Checked<TimedEvent> {
  if (!isJsonObject(value)) return { fault: 'it must be an object' }
  const type = value.type as EventType
  if (!Object.hasOwn(written, String(type))) return { fault: '"type" names no known kind of event' }
  // Events as both implementations write them need no leniency, and the schema without it is several times as fast.
  const asWritten = written[type].safeParse(value)
  const checked: Checked<ReadEvent> = asWritten.success
    ? { value: asWritten.data }
    : check<ReadEvent>(lenientSchemas()[type], value)
  if ('fault' in checked) return checked
  const time = parseTimestamp(checked.value.timestamp)
  if (time === null) return { fault: '"timestamp" must be a time stamp with a zone' }
  return { value: { event: checked.value, time } }
}

/** How the fields that many events share are read. */
interface Fields {
  readonly whole: z.ZodMiniType<number>
  readonly amount: z.ZodMiniType<number>
  readonly time: z.ZodMiniType<string | number>
  /** Null, or missing if that is allowed. */
  readonly maybe: <T>(type: z.ZodMiniType<T>) => z.ZodMiniType<T | null>
  /** Missing, if that is allowed, reads as `value`. */
  readonly preset: <T>(type: z.ZodMiniType<T>, value: T) => z.ZodMiniType<T>
}

const written = eventSchemas({
  whole,
  amount,
  time: z.string(),
  maybe: type => z.nullable(type),
  preset: type => type,
})

let lenient: Schemas | undefined

/** Made when it is first needed, which for the bundles of both implementations is never. */
function lenientSchemas(): Schemas {
  lenient ??= eventSchemas({
    whole: looseWhole,
    amount: looseAmount,
    time: z.union([z.string(), z.number()], 'must be a time stamp'),
    maybe,
    preset: (type, value) => z._default(type, value as never) as unknown as typeof type,
  })
  return lenient
}

function eventSchemas(fields: Fields) {
  const { whole, amount, maybe, preset } = fields
  const status = z.enum(['ok', 'error', 'skipped'])
  const policy = z.enum(['frozen', 'live', 'manual', 'forbidden', 'derived'])
  const payload = z.unknown()
  const optional = z.optional(payload)
  const common = {
    id: text,
    run_id: text,
    parent_id: maybe(text),
    step: preset(whole, 0),
    timestamp: fields.time,
    duration_ms: maybe(whole),
    status: preset(status, 'ok'),
    replay_policy: preset(policy, 'frozen'),
    input_hash: maybe(z.string()),
    output_hash: maybe(z.string()),
    redactions: preset(z.array(z.string()), []),
  }
  const counts = {
    prompt_tokens: maybe(whole),
    completion_tokens: maybe(whole),
    total_tokens: maybe(whole),
    cost_usd: maybe(amount),
  }
  const failed = { ...common, status: preset(status, 'error') }
  const named = { ...common, name: text }
  return {
    run_start: z.strictObject({ ...common, type: z.literal('run_start'), input: optional }),
    llm_request: z.strictObject({
      ...common,
      type: z.literal('llm_request'),
      provider: maybe(z.string()),
      model: text,
      input: payload,
    }),
    llm_response: z.strictObject({
      ...common,
      type: z.literal('llm_response'),
      model: maybe(text),
      output: payload,
      ...counts,
    }),
    tool_call: z.strictObject({ ...named, type: z.literal('tool_call'), input: payload }),
    tool_result: z.strictObject({ ...named, type: z.literal('tool_result'), output: payload }),
    state_change: z.strictObject({
      ...common,
      type: z.literal('state_change'),
      key: maybe(z.string()),
      before: optional,
      after: optional,
    }),
    error: z.strictObject({
      ...failed,
      type: z.literal('error'),
      error_type: text,
      message: text,
      details: optional,
    }),
    run_end: z.strictObject({
      ...common,
      type: z.literal('run_end'),
      run_status: runStatus,
      output: optional,
    }),
  }
}
