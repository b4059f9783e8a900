import { join } from 'node:path'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { assertEvent } from '../trace/assert-event.ts'
import type { Bundle, Manifest } from '../trace/bundle.ts'
import type { DeterminismHeader, NewDeterminism } from '../trace/determinism.ts'
import type { TraceEvent } from '../trace/event.ts'
import { eventLine } from '../trace/event-line.ts'
import type { ExchangeLine } from '../trace/exchange.ts'
import { SIDECAR } from '../trace/integrity.ts'
import { type Finding, redact } from '../trace/redact.ts'
import { REDACTED } from '../trace/redact-text.ts'
import type { SpecialValue } from '../trace/special-values.ts'
import { assertWritable } from './assert-writable.ts'
import { writeNewFile } from './new-file.ts'
import { moveFolder, replaceFolder } from './replace-folder.ts'
import { count, emptyTally, type Tally, totalsOf } from './tally.ts'

/** A run to be written. */
export interface NewBundle {
  readonly manifest: NewManifest
  /** In their final order, payloads included; walked once. */
  readonly events: Iterable<TraceEvent>
  readonly origin?: Bundle['origin']
  readonly values?: readonly SpecialValue[]
  readonly exchanges?: readonly ExchangeLine[]
  readonly determinism?: NewDeterminism
}

/** Counts are made from the events; a cost that is not given is the sum of the responses' costs. */
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
  replaceFolder(path, folder => fill(folder, bundle), isOurs)
}

/** Puts one bundle in the place of another, all-or-nothing. Raises WRITE_FAILED. */
export function swapBundle(fresh: string, path: string): void {
  moveFolder(fresh, path, isOurs)
}

const FILES: readonly string[] = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json']

function isOurs(name: string): boolean {
  return FILES.includes(name) || SIDECAR.test(name)
}

function fill(folder: string, bundle: NewBundle): void {
  const digests = new Map<string, string>()
  const write = (name: string, pieces: Iterable<string>): void => {
    digests.set(name, writeNewFile(join(folder, name), pieces))
  }
  const entries: Entry[] = []
  const tally = emptyTally()
  write('events.jsonl', eventLines(bundle.events, tally, entries))
  write('manifest.json', [pretty(manifestOf(bundle.manifest, tally, entries))])
  write('redactions.json', [pretty({ schema_version: '0.1', entries })])
  for (const [name, lines] of sidecarsOf(bundle)) write(name, jsonLines(lines))
  write('integrity.json', [pretty({ schema_version: '0.1', algorithm: 'sha256', files: filesOf(digests) })])
}

/** An entry of `redactions.json`. */
type Entry = {
  readonly event_id: string
  readonly path: string
  readonly reason: string
  readonly replacement: string
}

function entriesOf(eventId: string, findings: readonly Finding[]): Entry[] {
  return findings.map(({ path, reason }) => ({ event_id: eventId, path, reason, replacement: REDACTED }))
}

function* eventLines(events: Iterable<TraceEvent>, tally: Tally, entries: Entry[]): Generator<string> {
  for (const event of events) {
    assertEvent(event)
    count(tally, event)
    const { text, findings } = eventLine(event)
    for (const entry of entriesOf(event.id, findings)) entries.push(entry)
    yield `${text}\n`
  }
}

function manifestOf(manifest: NewManifest, tally: Tally, entries: Entry[]): Json {
  const { run_id, agent_name, created_at, status, failure, environment } = manifest
  // The format wants a step; a failure outside any event happened at the last error.
  const step = failure?.step ?? tally.errorStep ?? tally.lastStep
  const redaction = redact({ agent_name, failure: failure && { ...failure, step }, environment })
  const redacted = redaction.value as { readonly [name: string]: Json }
  for (const entry of entriesOf('__manifest__', redaction.findings)) entries.push(entry)
  return {
    format: 'stepfork',
    schema_version: '0.1',
    run_id,
    agent_name: redacted.agent_name!,
    created_at,
    status,
    failure: redacted.failure!,
    environment: redacted.environment!,
    totals: totalsOf(tally, manifest.totals),
  }
}

function sidecarsOf({
  origin,
  values = [],
  exchanges = [],
  determinism = { seed: null, lines: [] },
}: NewBundle): [name: string, lines: readonly unknown[]][] {
  const sidecars: [string, readonly unknown[]][] = []
  if (origin) sidecars.push(['x-origin.jsonl', [origin.header, ...origin.log]])
  if (values.length > 0)
    sidecars.push(['x-values.jsonl', [{ format: 'stepfork-values', version: 1 }, ...values]])
  if (exchanges.length > 0)
    sidecars.push(['x-exchanges.jsonl', [{ format: 'stepfork-exchanges', version: 1 }, ...exchanges]])
  if (determinism.lines.length > 0 || determinism.seed !== null)
    sidecars.push(['x-determinism.jsonl', [determinismHeader(determinism), ...determinism.lines]])
  return sidecars
}

function determinismHeader({ seed }: NewDeterminism): DeterminismHeader {
  return { format: 'stepfork-determinism', version: 1, ...(seed !== null && { seed }) }
}

/** A command line or a call site may hold a secret, too. */
function* jsonLines(values: readonly unknown[]): Generator<string> {
  for (const value of values) yield `${writeJson(redact(value as Json).value)}\n`
}

/** The order of the Python implementation, then our sidecars. */
function filesOf(digests: ReadonlyMap<string, string>): { readonly [name: string]: string } {
  const {
    'manifest.json': manifest = '',
    'events.jsonl': events = '',
    ...others
  } = Object.fromEntries(digests)
  return { 'manifest.json': manifest, 'events.jsonl': events, ...others }
}

function pretty(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
