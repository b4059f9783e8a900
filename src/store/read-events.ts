import { parseJson } from '../json/parse-json.ts'
import { rawMember } from '../json/read-json.ts'
import type { Json } from '../json/value.ts'
import { HASHED, type PayloadName, type TraceEvent } from '../trace/event.ts'
import type { TimedEvent } from '../trace/event-schema.ts'
import type { RedactionEntry } from '../trace/metadata-schema.ts'
import type { Finding } from '../trace/redact.ts'
import { formatTimestamp } from '../trace/timestamp.ts'
import { assertBundleFolder } from './bundle-files.ts'
import type { Line } from './lines.ts'
import { readRedactions } from './read-metadata.ts'
import { scanEvents } from './scan-events.ts'

/**
 * All events of a bundle with their payloads, to be edited and written again (`writeBundle`): payloads keep their
 * spelling and member order, earlier redactions stay on record. Holds the whole run in memory. Raises what `readBundle`
 * raises.
 */
export function readEvents(bundlePath: string): TraceEvent[] {
  assertBundleFolder(bundlePath)
  const entries = byEvent(readRedactions(bundlePath).value)
  const events: TraceEvent[] = []
  scanEvents(bundlePath, (timed, line) =>
    events.push(traceEvent(timed, line, entries.get(timed.event.id) ?? [])),
  )
  return events
}

function byEvent(entries: readonly RedactionEntry[]): ReadonlyMap<string, readonly RedactionEntry[]> {
  const grouped = new Map<string, RedactionEntry[]>()
  for (const entry of entries) {
    const group = grouped.get(entry.event_id)
    if (group === undefined) grouped.set(entry.event_id, [entry])
    else group.push(entry)
  }
  return grouped
}

function traceEvent({ event, time }: TimedEvent, line: Line, entries: readonly RedactionEntry[]): TraceEvent {
  const { input_hash, output_hash, redactions, timestamp: given, ...rest } = event
  const texts: { [name in PayloadName]?: string } = {}
  const payloads: { [name in PayloadName]?: Json } = {}
  for (const name of Object.values(HASHED[event.type])) {
    texts[name] = rawMember(line.text, name) ?? 'null'
    payloads[name] = parseJson(texts[name])
  }
  const timestamp = typeof given === 'string' ? given : formatTimestamp(time)
  const findings = redactions.map(path => ({ path, reason: reasonOf(path, entries) }))
  return { ...rest, ...payloads, timestamp, texts, findings } as TraceEvent
}

/** A bundle that Python loaded and saved again has lost its entries; what stands in the event is then all we know. */
function reasonOf(path: string, entries: readonly RedactionEntry[]): Finding['reason'] {
  return entries.find(entry => entry.path === path)?.reason === 'sensitive_key'
    ? 'sensitive_key'
    : 'credential_pattern'
}
