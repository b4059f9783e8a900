/** The shapes of the sidecars, checked where bytes come in. Unknown members are dropped: a later version may add some. */
import * as z from 'zod/mini'
import { KINDS } from '../json/mark.ts'
import type { DeterminismHeader, DeterminismLine } from './determinism.ts'
import type { ExchangeLine } from './exchange.ts'
import type { OriginHeader, OriginLine } from './origin.ts'
import type { SecretLine } from './secret-lines.ts'
import type { SpecialValue } from './special-values.ts'

const text = z.nullable(z.string())
const at = z.number().check(z.minimum(0))
const number = z.int().check(z.minimum(1))

export const originHeaderSchema: z.ZodMiniType<OriginHeader> = z.object({
  format: z.literal('stepfork-origin'),
  version: z.literal(1),
  recorder: z.object({ name: z.string(), version: z.string(), node: z.string() }),
  redaction: z.enum(['compatible', 'strong']),
  keeps_order: z.boolean(),
  keeps_values: z.optional(z.boolean()),
  parent_run_id: z._default(text, null),
  agent: z.union([
    z.object({ file: z.string(), export: text }),
    z.object({ command: z.array(z.string()) }),
    z.null(),
  ]),
  environment: z.object({
    tz: text,
    locale: text,
    node_env: text,
    services: z.optional(z.record(z.string(), z.string())),
  }),
})

export const originLineSchema: z.ZodMiniType<OriginLine> = z.union([
  z.object({
    call: number,
    event: z.string(),
    at,
    trigger: z.union([z.literal('start'), number, z.null()]),
    shape: z.enum(['sync', 'async', 'stream']),
    inside: z.nullable(number),
    site: text,
    order: z.optional(z.literal('any')),
  }),
  z.object({ call: number, part: z.enum(['head', 'chunk', 'end']), at }),
  z.object({ call: number, abort: z.literal(true), at }),
])

export const valuesHeaderSchema = z.object({ format: z.literal('stepfork-values'), version: z.literal(1) })

export const secretsHeaderSchema = z.object({ format: z.literal('stepfork-secrets'), version: z.literal(1) })

export const secretLineSchema: z.ZodMiniType<SecretLine> = z.object({
  event: z.string(),
  path: z.string(),
  secrets: z.array(z.nullable(z.object({ number, env: z.optional(z.array(z.string())) }))),
})

export const specialValueSchema: z.ZodMiniType<SpecialValue> = z.object({
  event: z.string(),
  member: z.enum(['input', 'output', 'details']),
  path: z.string(),
  is: z.enum([...KINDS, 'lost']),
})

export const exchangesHeaderSchema = z.object({
  format: z.literal('stepfork-exchanges'),
  version: z.literal(1),
})

const header = z.tuple([z.string(), z.string()])

export const exchangeLineSchema: z.ZodMiniType<ExchangeLine> = z.object({
  event: z.string(),
  layer: z.enum(['fetch', 'undici', 'http']),
  url: z.string(),
  head: z.object({
    // Some servers answer 999.
    status: z.int().check(z.minimum(200), z.maximum(999)),
    statusText: z.string(),
    headers: z.array(header),
    url: z.optional(z.string()),
  }),
  chunks: z.nullable(z.array(z.union([z.string(), z.object({ base64: z.string() })]))),
  end: z.enum(['whole', 'broken', 'open']),
})

export const determinismHeaderSchema: z.ZodMiniType<DeterminismHeader> = z.object({
  format: z.literal('stepfork-determinism'),
  version: z.literal(1),
  seed: z.optional(z.string()),
})

const count = z.int().check(z.minimum(0))
const label = { interval: count, site: z.string() }
const reading = z.number().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER))
/** No run has more of a label. */
const ordinal = z.int().check(z.minimum(0), z.maximum(100_000))

export const determinismLineSchema: z.ZodMiniType<DeterminismLine> = z.union([
  z.object({
    read: z.enum(['wall', 'instant', 'monotone', 'hrtime']),
    ...label,
    values: z.array(z.union([reading, z.bigint()])).check(z.minLength(1)),
  }),
  z.object({
    mark: z.enum(['hex', 'base64', 'nanoid', 'ulid', 'uint32']),
    drew: z.string(),
    ...label,
    nth: ordinal,
    from: ordinal,
    call: z.nullable(number),
    path: z.string(),
    start: count,
    length: ordinal,
  }),
  z.object({ drew: z.string(), ...label, values: z.array(z.number()) }),
])
