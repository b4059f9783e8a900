/**
 * The shapes of `manifest.json`, `redactions.json` and `integrity.json` (schema 0.1 of the Python implementation 0.2.1),
 * checked where bytes come in: an unknown field is refused, most fields may be missing, as in Python.
 */
import * as z from 'zod/mini'
import type { Manifest } from './bundle.ts'
import { looseAmount, looseWhole, maybe, runStatus, text } from './field-schema.ts'
import type { IntegrityRecord } from './integrity.ts'
import { formatTimestamp, parseTimestamp } from './timestamp.ts'

const version = z._default(z.literal('0.1'), '0.1')

const failure = z.strictObject({ type: text, message: text, step: looseWhole })

const environment = z.strictObject({
  python: maybe(z.string()),
  os: maybe(z.string()),
  stepfork_version: maybe(z.string()),
})

const totals = z.strictObject({
  events: z._default(looseWhole, 0),
  llm_calls: z._default(looseWhole, 0),
  tool_calls: z._default(looseWhole, 0),
  cost_usd: maybe(looseAmount),
  duration_ms: maybe(looseWhole),
})

const createdAt = z
  .union([z.string(), z.pipe(z.number(), z.transform(writtenTime))], 'must be a time stamp')
  .check(z.refine(value => parseTimestamp(value) !== null, 'must be a time stamp with a zone'))

/** An epoch number as text, so that a manifest holds one kind of time. */
function writtenTime(epoch: number): string {
  const milliseconds = parseTimestamp(epoch)
  return milliseconds === null ? 'no time' : formatTimestamp(milliseconds)
}

export const manifestSchema: z.ZodMiniType<Manifest> = z
  .strictObject({
    format: z._default(z.literal('stepfork'), 'stepfork'),
    schema_version: version,
    run_id: text,
    agent_name: text,
    created_at: createdAt,
    status: runStatus,
    failure: maybe(failure),
    environment: z._default(environment, { python: null, os: null, stepfork_version: null }),
    totals: z._default(totals, {
      events: 0,
      llm_calls: 0,
      tool_calls: 0,
      cost_usd: null,
      duration_ms: null,
    }),
  })
  .check(
    z.refine(manifest => (manifest.failure !== null) === (manifest.status === 'failed'), {
      path: ['failure'],
      message: 'must be there exactly when the status is failed',
    }),
  ) as unknown as z.ZodMiniType<Manifest>

const redactionEntry = z.strictObject({
  event_id: text,
  path: z.string(),
  reason: z.enum(['sensitive_key', 'credential_pattern']),
  replacement: z._default(z.literal('[REDACTED]'), '[REDACTED]'),
})

/** One place that was redacted, by event. */
export type RedactionEntry = z.infer<typeof redactionEntry>

export const redactionsSchema = z.strictObject({
  schema_version: version,
  entries: z._default(z.array(redactionEntry), []),
})

export const integritySchema: z.ZodMiniType<IntegrityRecord> = z.strictObject({
  schema_version: version,
  algorithm: z._default(z.string(), 'sha256'),
  files: z._default(z.record(z.string(), z.string()), {}),
})
