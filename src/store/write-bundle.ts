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
import type { Finding } from '../trace/redact.ts'
import { redactExchange } from '../trace/redact-exchange.ts'
import { REDACTED } from '../trace/redact-text.ts'
import { createRedactor, type Redactor } from '../trace/redactor.ts'
import { type SecretLine, secretLines } from '../trace/secret-lines.ts'
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
  options: { readonly overwrite?: boolean; readonly redactor?: Redactor } = {},
): void {
  assertWritable(path, options.overwrite)
  const redactor = options.redactor ?? createRedactor(bundle.origin?.header.redaction ?? 'compatible')
  replaceFolder(path, folder => fill(folder, bundle, redactor), isOurs)
}

/** Puts one bundle in the place of another, all-or-nothing. Raises WRITE_FAILED. */
export function swapBundle(fresh: string, path: string): void {
  moveFolder(fresh, path, isOurs)
}

const FILES: readonly string[] = ['manifest.json', 'events.jsonl', 'redactions.json', 'integrity.json']

function isOurs(name: string): boolean {
  return FILES.includes(name) || SIDECAR.test(name)
}

function fill(folder: string, bundle: NewBundle, redactor: Redactor): void {
  const digests = new Map<string, string>()
  const write = (name: string, pieces: Iterable<string>): void => {
    digests.set(name, writeNewFile(join(folder, name), pieces))
  }
  const gathered: Gathered = { redactor, tally: emptyTally(), entries: [], secrets: [] }
  const { entries } = gathered
  write('events.jsonl', eventLines(bundle.events, gathered))
  write('manifest.json', [pretty(manifestOf(bundle.manifest, gathered))])
  write('redactions.json', [pretty({ schema_version: '0.1', entries })])
  for (const [name, lines] of sidecarsOf(bundle, gathered.secrets))
    write(name, redactedLines(lines, redactor))
  if (bundle.exchanges?.length) write('x-exchanges.jsonl', exchangeLines(bundle.exchanges, redactor))
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

/** What writing the events brings together. */
interface Gathered {
  readonly redactor: Redactor
  readonly tally: Tally
  readonly entries: Entry[]
  readonly secrets: SecretLine[]
}

function* eventLines(
  events: Iterable<TraceEvent>,
  { redactor, tally, entries, secrets }: Gathered,
): Generator<string> {
  for (const event of events) {
    assertEvent(event)
    count(tally, event)
    const { text, findings } = eventLine(event, redactor)
    for (const entry of entriesOf(event.id, findings)) entries.push(entry)
    for (const line of secretLines(event.id, event.findings)) secrets.push(line)
    yield `${text}\n`
  }
}

function manifestOf(manifest: NewManifest, { redactor, tally, entries }: Gathered): Json {
  const { run_id, agent_name, created_at, status, failure, environment } = manifest
  // The format wants a step; a failure outside any event happened at the last error.
  const step = failure?.step ?? tally.errorStep ?? tally.lastStep
  const redaction = redactor.redact({ agent_name, failure: failure && { ...failure, step }, environment })
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

function sidecarsOf(
  { origin, values = [], determinism = { seed: null, lines: [] } }: NewBundle,
  secrets: readonly SecretLine[],
): [name: string, lines: readonly unknown[]][] {
  const sidecars: [string, readonly unknown[]][] = []
  if (origin) sidecars.push(['x-origin.jsonl', [origin.header, ...origin.log]])
  if (values.length > 0)
    sidecars.push(['x-values.jsonl', [{ format: 'stepfork-values', version: 1 }, ...values]])
  if (determinism.lines.length > 0 || determinism.seed !== null)
    sidecars.push(['x-determinism.jsonl', [determinismHeader(determinism), ...determinism.lines]])
  if (secrets.length > 0)
    sidecars.push(['x-secrets.jsonl', [{ format: 'stepfork-secrets', version: 1 }, ...secrets]])
  return sidecars
}

function determinismHeader({ seed }: NewDeterminism): DeterminismHeader {
  return { format: 'stepfork-determinism', version: 1, ...(seed !== null && { seed }) }
}

/** A command line or a call site may hold a secret, too. */
function* redactedLines(values: readonly unknown[], redactor: Redactor): Generator<string> {
  for (const value of values) yield jsonLine(redactor.redact(value as Json).value)
}

function* exchangeLines(exchanges: readonly ExchangeLine[], redactor: Redactor): Generator<string> {
  yield jsonLine({ format: 'stepfork-exchanges', version: 1 })
  for (const exchange of exchanges) yield jsonLine(redactExchange(exchange, redactor) as unknown as Json)
}

function jsonLine(value: Json): string {
  return `${writeJson(value)}\n`
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
