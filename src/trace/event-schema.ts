/**
 * The check of an event where bytes come in; fields and defaults are those of the Python implementation 0.2.1. Strict as
 * Python is: an unknown field is refused. Lenient where Python is: a step may be `"3"` or `true`, a time stamp an epoch
 * number, and most fields may be missing. Stricter in one point: an event without id, run or time is refused, where
 * Python makes up new ones each time it loads.
 */
import * as z from 'zod/mini'
import { isJsonObject } from '../json/value.ts'
import { isAsWritten } from './as-written.ts'
import type { EventType } from './bundle.ts'
import { EVENT_FIELDS, type FieldKind, type FieldTypes, type ReadEvent } from './event-fields.ts'
import { type Checked, check, looseAmount, looseWhole, maybe, runStatus, text } from './field-schema.ts'
import { parseTimestamp } from './timestamp.ts'

export interface TimedEvent {
  readonly event: ReadEvent
  /** Milliseconds since the epoch, with fractions. */
  readonly time: number
}

export function checkEvent(value: unknown): Checked<TimedEvent> {
  if (!isJsonObject(value)) return { fault: 'it must be an object' }
  const { type } = value
  if (!isEventType(type)) return { fault: '"type" names no known kind of event' }
  if (isAsWritten(value, type)) return timed(value)
  const checked = check(schemaOf(type), value)
  return 'fault' in checked ? checked : timed(checked.value)
}

function isEventType(type: unknown): type is EventType {
  return typeof type === 'string' && Object.hasOwn(EVENT_FIELDS, type)
}

function timed(event: ReadEvent): Checked<TimedEvent> {
  const time = parseTimestamp(event.timestamp)
  return time === null
    ? { fault: '"timestamp" must be a time stamp with a zone' }
    : { value: { event, time } }
}

/** Made when it is first needed, which for the bundles of both implementations is never. */
function schemaOf(type: EventType): z.ZodMiniType<ReadEvent> {
  const known = schemas.get(type)
  if (known !== undefined) return known
  const fields = Object.entries(EVENT_FIELDS[type]).map(([name, kind]) => [name, KINDS[kind]()])
  const schema = z.strictObject({ type: z.literal(type), ...Object.fromEntries(fields) })
  schemas.set(type, schema as unknown as z.ZodMiniType<ReadEvent>)
  return schema as unknown as z.ZodMiniType<ReadEvent>
}

const schemas = new Map<EventType, z.ZodMiniType<ReadEvent>>()

/** How each kind of field is read; where Python has a default, so has this. */
const KINDS: { readonly [K in FieldKind]: () => z.ZodMiniType<FieldTypes[K]> } = {
  text: () => text,
  textOrNull: () => maybe(text),
  stringOrNull: () => maybe(z.string()),
  whole: () => preset(looseWhole, 0),
  wholeOrNull: () => maybe(looseWhole),
  amountOrNull: () => maybe(looseAmount),
  time: () => z.union([z.string(), z.number()], 'must be a time stamp'),
  status: () => preset(z.enum(['ok', 'error', 'skipped']), 'ok'),
  errorStatus: () => preset(z.enum(['ok', 'error', 'skipped']), 'error'),
  policy: () => preset(z.enum(['frozen', 'live', 'manual', 'forbidden', 'derived']), 'frozen'),
  runStatus: () => runStatus,
  texts: () => preset(z.array(z.string()), []),
  payload: () => z.unknown(),
  maybePayload: () => z.optional(z.unknown()),
}

function preset<T>(type: z.ZodMiniType<T>, value: T): z.ZodMiniType<T> {
  return z._default(type, value as never) as unknown as z.ZodMiniType<T>
}
