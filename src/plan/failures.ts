import type { RecordedError } from '../json/error-record.ts'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import type { Bundle, EventHead } from '../trace/bundle.ts'
import { type ValuesByPlace, valuesByPlace } from '../trace/special-values.ts'
import { errorDetails } from './error-details.ts'
import type { RecordedCall } from './event-log.ts'
import type { ReadPayload } from './plan.ts'

/**
 * The failure of each call, null for those that did not fail. A failed tool's is the error event below its result, else
 * what the result's output says; a failed model's is the error event itself. Without details the name is
 * `DependencyError`, as in the Python implementation.
 */
export function failuresOf(
  bundle: Bundle,
  calls: readonly RecordedCall[],
  readPayload: ReadPayload,
  values: ValuesByPlace = valuesByPlace([]),
): (RecordedError | null)[] {
  const errorBelow = new Map<string, EventHead>()
  for (const event of bundle.events) {
    if (event.type !== 'error' || event.parentId === null || errorBelow.has(event.parentId)) continue
    errorBelow.set(event.parentId, event)
  }
  return calls.map(call => {
    if (!call.failed) return null
    const outcome = bundle.events[call.outcome!]!
    const error = outcome.type === 'error' ? outcome : errorBelow.get(outcome.id)
    if (error !== undefined) return fromErrorEvent(error, readPayload, values)
    return fromOutput(parseJson(readPayload(outcome.line, 'output')))
  })
}

/** What our recorder keeps stands here in the details. */
const PLACE = '/stepfork'

function fromErrorEvent(event: EventHead, readPayload: ReadPayload, values: ValuesByPlace): RecordedError {
  const message = parseJson(readPayload(event.line, 'message'))
  const details = parseJson(readPayload(event.line, 'details'))
  const marks = values
    .marks(event.id, 'details')
    .map(mark => ({ ...mark, path: mark.path.slice(PLACE.length) }))
  return {
    name: event.label,
    message: typeof message === 'string' ? message : '',
    ...errorDetails(details),
    ...(marks.length > 0 && { marks }),
  }
}

function fromOutput(output: Json): RecordedError {
  const members: JsonObject = isJsonObject(output) ? output : {}
  const { error_type: name, message } = members
  return {
    name: typeof name === 'string' ? name : 'DependencyError',
    message: typeof message === 'string' ? message : '',
  }
}
