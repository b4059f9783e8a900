/** Events as `inspect` shows them: redacted once more, so that a secret edited into a bundle by hand stays hidden. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import type { Bundle, EventHead, Slice } from '../trace/bundle.ts'
import { redact } from '../trace/redact.ts'

/** The event on this line of `events.jsonl`, parsed. */
export type ReadEvent = (line: Slice) => JsonObject

export interface EventChoice {
  readonly step: number | null
  /** Events that failed, and error events. */
  readonly errorsOnly: boolean
}

/** Members that the other columns show, or that only matter to validation. */
const STRUCTURE = new Set([
  'id',
  'run_id',
  'parent_id',
  'step',
  'type',
  'timestamp',
  'status',
  'replay_policy',
  'input_hash',
  'output_hash',
  'redactions',
])

export function chosenEvents({ events }: Bundle, { step, errorsOnly }: EventChoice): EventHead[] {
  return events.filter(event => (step === null || event.step === step) && (!errorsOnly || isError(event)))
}

function isError({ status, type }: EventHead): boolean {
  return status === 'error' || type === 'error'
}

/** All that an event says of its own, `duration_ms`, `name` and `model` included. */
export function eventDetails(event: JsonObject): JsonObject {
  const own = Object.entries(event).filter(([name]) => !STRUCTURE.has(name))
  const shown = redact(Object.fromEntries(own)).value
  return isJsonObject(shown) ? shown : {}
}

/** Names come from the recording, too: a tool may be called like a key. */
export function shownText(text: string): string {
  return String(redact(text).value)
}

export function shownValue(value: Json): Json {
  return redact(value).value
}
