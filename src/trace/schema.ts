/**
 * The shapes of a bundle's files (schema 0.1 of the Python implementation 0.2.1), checked where bytes come in. Loaded by
 * the reader only: zod never enters the agent's process. Strict, as Python is: an unknown field is refused. Lenient where
 * Python is: a step may be `"3"` or `true`, a time stamp an epoch number, and most fields have defaults. Stricter in one
 * point: an event without id, run or time is refused, where Python makes up new ones each time it loads.
 */
import { z } from 'zod'
import type { Manifest } from './bundle.ts'
import type { IntegrityRecord } from './integrity.ts'
import { formatTimestamp, parseTimestamp } from './timestamp.ts'

const text = z.string().min(1)
/** Python reads numbers out of booleans and texts, `1_000` included. */
const loosely = (shape: RegExp): z.ZodType<number> =>
  z.union([
    z.boolean().transform(Number),
    z
      .string()
      .regex(shape)
      .transform(text => Number(text.replaceAll('_', ''))),
  ])
const whole = z.union(
  [
    z.int().min(0),
    z
      .number()
      .min(0)
      .max(2 ** 63)
      .refine(Number.isInteger),
    loosely(/^\s*\+?\d+(?:_\d+)*(?:\.0*)?\s*$/).pipe(z.int().min(0)),
  ],
  'must be a whole number, 0 or more',
)
const amount = z.union(
  [z.number().min(0), loosely(/^\s*\+?\d+(?:_\d+)*(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$/).pipe(z.number().min(0))],
  'must be a number, 0 or more',
)
const maybe = <T extends z.ZodType>(type: T): z.ZodDefault<z.ZodNullable<T>> =>
  type.nullable().default(null as never)

/** Milliseconds since the epoch. */
const time = z.union([z.string(), z.number()], 'must be a time stamp').transform((value, context) => {
  const milliseconds = parseTimestamp(value)
  if (milliseconds !== null) return milliseconds
  context.addIssue({ code: 'custom', message: 'must be a time stamp with a zone' })
  return z.NEVER
})

/** An epoch number as text, so that a manifest holds one kind of time. */
function writtenTime(epoch: number): string {
  const milliseconds = parseTimestamp(epoch)
  return milliseconds === null ? 'no time' : formatTimestamp(milliseconds)
}

/** A payload is any JSON value; it is looked at only when it is used. */
const payload = z.unknown()
const optional = payload.optional()
const runStatus = z.enum(['running', 'completed', 'failed'])

const common = {
  id: text,
  run_id: text,
  parent_id: maybe(text),
  step: whole.default(0),
  timestamp: time,
  duration_ms: maybe(whole),
  status: z.enum(['ok', 'error', 'skipped']).default('ok'),
  replay_policy: z.enum(['frozen', 'live', 'manual', 'forbidden', 'derived']).default('frozen'),
  input_hash: maybe(z.string()),
  output_hash: maybe(z.string()),
  redactions: z.array(z.string()).default([]),
}

export const eventSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...common, type: z.literal('run_start'), input: optional }),
  z.strictObject({
    ...common,
    type: z.literal('llm_request'),
    provider: maybe(z.string()),
    model: text,
    input: payload,
  }),
  z.strictObject({
    ...common,
    type: z.literal('llm_response'),
    model: maybe(text),
    output: payload,
    prompt_tokens: maybe(whole),
    completion_tokens: maybe(whole),
    total_tokens: maybe(whole),
    cost_usd: maybe(amount),
  }),
  z.strictObject({ ...common, type: z.literal('tool_call'), name: text, input: payload }),
  z.strictObject({ ...common, type: z.literal('tool_result'), name: text, output: payload }),
  z.strictObject({
    ...common,
    type: z.literal('state_change'),
    key: maybe(z.string()),
    before: optional,
    after: optional,
  }),
  z.strictObject({
    ...common,
    type: z.literal('error'),
    status: common.status.default('error'),
    error_type: text,
    message: text,
    details: optional,
  }),
  z.strictObject({ ...common, type: z.literal('run_end'), run_status: runStatus, output: optional }),
])

/** An event as read: optionals parsed, its time a number. */
export type ReadEvent = z.infer<typeof eventSchema>

export const manifestSchema: z.ZodType<Manifest> = z
  .strictObject({
    format: z.literal('stepfork').default('stepfork'),
    schema_version: z.literal('0.1').default('0.1'),
    run_id: text,
    agent_name: text,
    created_at: z
      .union([z.string(), z.number().transform(writtenTime)], 'must be a time stamp')
      .refine(value => parseTimestamp(value) !== null, 'must be a time stamp with a zone'),
    status: runStatus,
    failure: maybe(z.strictObject({ type: text, message: text, step: whole })),
    environment: z
      .strictObject({ python: maybe(z.string()), os: maybe(z.string()), stepfork_version: maybe(z.string()) })
      .prefault({}),
    totals: z
      .strictObject({
        events: whole.default(0),
        llm_calls: whole.default(0),
        tool_calls: whole.default(0),
        cost_usd: maybe(amount),
        duration_ms: maybe(whole),
      })
      .prefault({}),
  })
  .refine(manifest => (manifest.failure !== null) === (manifest.status === 'failed'), {
    path: ['failure'],
    message: 'must be there exactly when the status is failed',
  })

export const redactionsSchema = z.strictObject({
  schema_version: z.literal('0.1'),
  entries: z
    .array(
      z.strictObject({
        event_id: text,
        path: z.string(),
        reason: z.enum(['sensitive_key', 'credential_pattern']),
        replacement: z.literal('[REDACTED]').default('[REDACTED]'),
      }),
    )
    .default([]),
})

export const integritySchema: z.ZodType<IntegrityRecord> = z.strictObject({
  schema_version: z.literal('0.1').default('0.1'),
  algorithm: z.string().default('sha256'),
  files: z.record(z.string(), z.string()).default({}),
})

/** A checked value, or the first thing wrong with it as the end of a sentence: `"id" is missing`. */
export type Checked<T> = { readonly value: T } | { readonly fault: string }

export function check<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  // The input tells a missing member from one of the wrong type; it is only attached when something is wrong.
  const result = schema.safeParse(value, { reportInput: true })
  return result.success ? { value: result.data } : { fault: faultOf(result.error.issues[0]!) }
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `it has the unknown field ${JSON.stringify(issue.keys[0])}`
  if (issue.path.length === 0) return 'it must be an object'
  const name = JSON.stringify(issue.path.join('.'))
  if (issue.input === undefined && issue.code !== 'custom') return `${name} is missing`
  return `${name} ${requirementOf(issue)}`
}

function requirementOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be a ${issue.expected}`
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(', ')}`
  if (issue.code === 'too_small')
    return issue.origin === 'string' ? 'must not be empty' : 'must not be negative'
  if (issue.code === 'invalid_union' && issue.path[0] === 'type') return 'names no known kind of event'
  return issue.message
}
