import { join } from 'node:path'
import { StepforkError } from '../errors.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Bundle, Manifest } from '../trace/bundle.ts'
import type { TraceEvent } from '../trace/event.ts'
import { eventLine } from '../trace/event-line.ts'
import { SIDECAR } from '../trace/integrity.ts'
import { type Finding, REDACTED, redact } from '../trace/redact.ts'
import type { SpecialValue } from '../trace/special-values.ts'
import { parseTimestamp } from '../trace/timestamp.ts'
import { assertWritable } from './assert-writable.ts'
import { writeNewFile } from './new-file.ts'
import { replaceFolder } from './replace-folder.ts'

/** A run to be written; events in their final order, payloads included. */
export interface NewBundle {
  readonly manifest: NewManifest
  readonly events: readonly TraceEvent[]
  readonly origin?: Bundle['origin']
  readonly values?: readonly SpecialValue[]
}

/** Counts are made from the events; the cost, when it is not given, is the sum of the responses' costs. */
export type NewManifest = Omit<Manifest, 'format' | 'schema_version' | 'totals'> & {
  readonly totals?: Partial<Pick<Manifest['totals'], 'cost_usd' | 'duration_ms'>>
}

/**
 * Writes a bundle all-or-nothing: redacted, then hashed, readable by the Python implementation. Its files are for their
 * owner only. An existing bundle is replaced only with `overwrite`; files in it that are not of a bundle stay.
 * Raises BUNDLE_EXISTS, USAGE and WRITE_FAILED; NOT_JSON for a payload without canonical form.
 */
export function writeBundle(
  path: string,
  bundle: NewBundle,
  options: { readonly overwrite?: boolean } = {},
): void {
  assertWritable(path, options.overwrite)
  bundle.events.forEach(assertWritableEvent)
  replaceFolder(path, folder => fill(folder, bundle), isOurs)
}

const FILES: readonly string[] = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json']

function isOurs(name: string): boolean {
  return FILES.includes(name) || SIDECAR.test(name)
}

function fill(folder: string, bundle: NewBundle): void {
  const entries: RedactionEntry[] = []
  const write = (name: string, pieces: Iterable<string>): [string, string] => [
    name,
    writeNewFile(join(folder, name), pieces),
  ]
  const events = write('events.jsonl', eventLines(bundle.events, entries))
  const manifest = write('manifest.json', [pretty(manifestOf(bundle, entries))])
  const redactions = write('redactions.json', [
    pretty({ schema_version: '0.1', entries: entries as readonly Json[] }),
  ])
  const sidecars = sidecarsOf(bundle).map(([name, lines]) => write(name, jsonLines(lines)))
  const files = Object.fromEntries([manifest, events, redactions, ...sidecars])
  write('integrity.json', [pretty({ schema_version: '0.1', algorithm: 'sha256', files })])
}

type RedactionEntry = {
  readonly event_id: string
  readonly path: string
  readonly reason: string
  readonly replacement: string
}

function entriesOf(eventId: string, findings: readonly Finding[]): RedactionEntry[] {
  return findings.map(({ path, reason }) => ({ event_id: eventId, path, reason, replacement: REDACTED }))
}

function* eventLines(events: readonly TraceEvent[], entries: RedactionEntry[]): Generator<string> {
  for (const event of events) {
    const { text, findings } = eventLine(event)
    entries.push(...entriesOf(event.id, findings))
    yield `${text}\n`
  }
}

function manifestOf({ manifest, events }: NewBundle, entries: RedactionEntry[]): Json {
  const { agent_name, environment } = manifest
  const failure = manifest.failure && {
    ...manifest.failure,
    step: manifest.failure.step ?? lastErrorStep(events),
  }
  const redaction = redact({ agent_name, failure, environment })
  const redacted = redaction.value as { readonly [name: string]: Json }
  entries.push(...entriesOf('__manifest__', redaction.findings))
  return {
    format: 'stepfork',
    schema_version: '0.1',
    run_id: manifest.run_id,
    agent_name: redacted.agent_name!,
    created_at: manifest.created_at,
    status: manifest.status,
    failure: redacted.failure!,
    environment: redacted.environment!,
    totals: totalsOf(manifest, events),
  }
}

/** The format wants a step; a failure outside any event happened at the last error. */
function lastErrorStep(events: readonly TraceEvent[]): number {
  return events.findLast(event => event.type === 'error')?.step ?? events.at(-1)?.step ?? 0
}

function totalsOf({ totals }: NewManifest, events: readonly TraceEvent[]): Json {
  const costs = events.flatMap(event => (event.type === 'llm_response' ? (event.cost_usd ?? []) : []))
  const sum = costs.length === 0 ? null : costs.reduce((total, cost) => total + cost)
  return {
    events: events.length,
    llm_calls: events.filter(event => event.type === 'llm_request').length,
    tool_calls: events.filter(event => event.type === 'tool_call').length,
    cost_usd: totals?.cost_usd === undefined ? sum : totals.cost_usd,
    duration_ms: totals?.duration_ms ?? null,
  }
}

/** What a command line or a call site holds may be secret, too. */
function sidecarsOf({ origin, values }: NewBundle): [string, readonly unknown[]][] {
  const sidecars: [string, readonly unknown[]][] = []
  if (origin != null) sidecars.push(['x-origin.jsonl', [origin.header, ...origin.log]])
  if (values !== undefined && values.length > 0) {
    sidecars.push(['x-values.jsonl', [{ format: 'stepfork-values', version: 1 }, ...values]])
  }
  return sidecars
}

function* jsonLines(values: readonly unknown[]): Generator<string> {
  for (const value of values) yield `${writeJson(redact(value as Json).value)}\n`
}

function pretty(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** What the format has no place for would make the whole bundle unreadable: better told now, by name. */
function assertWritableEvent(event: TraceEvent, at: number): void {
  const refuse = (what: string): never => {
    throw new StepforkError('WRITE_FAILED', `event ${at + 1} (${event.type}, ${event.id}) ${what}`)
  }
  if (parseTimestamp(event.timestamp) === null)
    refuse(`has the time stamp ${event.timestamp}, without a zone`)
  for (const id of [event.id, event.run_id, event.parent_id]) {
    if (id === '') refuse('has an empty id')
    if (id !== null && redact(id).value !== id) refuse('has an id that looks like a credential')
  }
  if (labelOf(event) === '') refuse('has an empty name')
}

function labelOf(event: TraceEvent): string | null {
  if (event.type === 'tool_call' || event.type === 'tool_result') return event.name
  if (event.type === 'llm_request' || event.type === 'llm_response') return event.model
  return event.type === 'error' ? event.error_type : null
}
