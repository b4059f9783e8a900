/**
 * The shapes of `manifest.json`, `redactions.json` and `integrity.json` (schema 0.1 of the Python implementation 0.2.1),
 * checked where bytes come in: an unknown field is refused, most fields may be missing, as in Python.
 */
import * as z from 'zod'
import type { Manifest } from './bundle.ts'
import { looseAmount, looseWhole, maybe, runStatus, text } from './field-schema.ts'
import type { IntegrityRecord } from './integrity.ts'
import { formatTimestamp, parseTimestamp } from './timestamp.ts'

const version = z.literal('0.1').default('0.1')

const failure = z.strictObject({ type: text, message: text, step: looseWhole })

const environment = z.strictObject({
  python: maybe(z.string()),
  os: maybe(z.string()),
  stepfork_version: maybe(z.string()),
})

const totals = z.strictObject({
  events: looseWhole.default(0),
  llm_calls: looseWhole.default(0),
  tool_calls: looseWhole.default(0),
  cost_usd: maybe(looseAmount),
  duration_ms: maybe(looseWhole),
})

const createdAt = z
  .union([z.string(), z.number().transform(writtenTime)], 'must be a time stamp')
  .refine(value => parseTimestamp(value) !== null, 'must be a time stamp with a zone')

/** An epoch number as text, so that a manifest holds one kind of time. */
function writtenTime(epoch: number): string {
  const milliseconds = parseTimestamp(epoch)
  return milliseconds === null ? 'no time' : formatTimestamp(milliseconds)
}

export const manifestSchema: z.ZodType<Manifest> = z
  .strictObject({
    format: z.literal('stepfork').default('stepfork'),
    schema_version: version,
    run_id: text,
    agent_name: text,
    created_at: createdAt,
    status: runStatus,
    failure: maybe(failure),
    environment: environment.default({ python: null, os: null, stepfork_version: null }),
    totals: totals.default({ events: 0, llm_calls: 0, tool_calls: 0, cost_usd: null, duration_ms: null }),
  })
  .refine(manifest => (manifest.failure !== null) === (manifest.status === 'failed'), {
    path: ['failure'],
    message: 'must be there exactly when the status is failed',
  })

const redactionEntry = z.strictObject({
  event_id: text,
  path: z.string(),
  reason: z.enum(['sensitive_key', 'credential_pattern']),
  replacement: z.literal('[REDACTED]').default('[REDACTED]'),
})

/** One place that was redacted, by event. */
export type RedactionEntry = z.infer<typeof redactionEntry>

export const redactionsSchema = z.strictObject({
  schema_version: version,
  entries: z.array(redactionEntry).default([]),
})

export const integritySchema: z.ZodType<IntegrityRecord> = z.strictObject({
  schema_version: version,
  algorithm: z.string().default('sha256'),
  files: z.record(z.string(), z.string()).default({}),
})
