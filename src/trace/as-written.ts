import type { JsonObject } from '../json/value.ts'
import type { EventType } from './bundle.ts'
import { EVENT_FIELDS, type FieldKind, type ReadEvent } from './event-fields.ts'

/**
 * True for an event with every field in its plain form, as both implementations write them: it needs no conversion.
 * Nearly all events pass here, in a tenth of the time that a schema takes; the others are for the schema to judge.
 */
export function isAsWritten(event: JsonObject, type: EventType): event is JsonObject & ReadEvent {
  let unknown = -1
  for (const _ in event) unknown++
  for (const [name, kind] of FIELDS[type]) {
    const value = event[name]
    if (value === undefined) {
      if (kind !== 'maybePayload') return false
      continue
    }
    if (!isOfKind(value, kind)) return false
    unknown--
  }
  // One is its type; any other left over is a field that the format does not know.
  return unknown === 0
}

const FIELDS = Object.fromEntries(
  Object.entries(EVENT_FIELDS).map(([type, fields]) => [type, Object.entries(fields)]),
) as unknown as Record<EventType, readonly (readonly [name: string, kind: FieldKind])[]>

function isOfKind(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== ''
    case 'textOrNull':
      return value === null || (typeof value === 'string' && value !== '')
    case 'stringOrNull':
      return value === null || typeof value === 'string'
    case 'whole':
      return Number.isSafeInteger(value) && (value as number) >= 0
    case 'wholeOrNull':
      return value === null || (Number.isSafeInteger(value) && (value as number) >= 0)
    case 'amountOrNull':
      return value === null || (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY)
    case 'time':
      return typeof value === 'string'
    case 'status':
    case 'errorStatus':
      return STATUSES.includes(value)
    case 'policy':
      return POLICIES.includes(value)
    case 'runStatus':
      return RUN_STATUSES.includes(value)
    case 'texts':
      return Array.isArray(value) && value.every(item => typeof item === 'string')
    case 'payload':
    case 'maybePayload':
      return true
  }
}

const STATUSES: readonly unknown[] = ['ok', 'error', 'skipped']
const POLICIES: readonly unknown[] = ['frozen', 'live', 'manual', 'forbidden', 'derived']
const RUN_STATUSES: readonly unknown[] = ['running', 'completed', 'failed']
