/** `inspect --json`: member names of the Python implementation, so that scripts written for it go on working. */
import type { Json, JsonObject } from '../json/value.ts'
import type { Bundle, EventHead } from '../trace/bundle.ts'
import { jsonDocument } from './json-document.ts'
import {
  chosenEvents,
  type EventChoice,
  eventDetails,
  type ReadEvent,
  shownText,
  shownValue,
} from './shown-events.ts'

/** One object on one line; null when there is no event at the step asked for. */
export function inspectJson(bundle: Bundle, readEvent: ReadEvent, choice: EventChoice): string | null {
  const events = chosenEvents(bundle, choice)
  if (choice.step !== null && events.length === 0) return null
  const { manifest, path, integrity } = bundle
  return jsonDocument({
    path,
    agent_name: shownText(manifest.agent_name),
    run_id: manifest.run_id,
    schema_version: manifest.schema_version,
    status: manifest.status,
    created_at: isoTime(manifest.created_at),
    events: manifest.totals.events,
    llm_calls: manifest.totals.llm_calls,
    tool_calls: manifest.totals.tool_calls,
    duration_ms: manifest.totals.duration_ms,
    failure: manifest.failure === null ? null : shownValue({ ...manifest.failure }),
    integrity,
    timeline: events.map(event => eventJson(event, readEvent(event.line))),
  })
}

/** As Python prints a time: six digits of a second or none, and the zone in figures. */
function isoTime(text: string): string {
  return text
    .replace(/Z$/, '+00:00')
    .replace(/\.(\d+)/, (_, digits: string) => (/^0*$/.test(digits) ? '' : `.${digits.padEnd(6, '0')}`))
}

function eventJson(event: EventHead, line: JsonObject): Json {
  return {
    id: event.id,
    step: event.step,
    type: event.type,
    label: shownText(event.label),
    status: event.status,
    parent_id: event.parentId,
    duration_ms: line.duration_ms ?? null,
    details: eventDetails(line),
  }
}
