import type { Bundle, Manifest } from '../trace/bundle.ts'
import type { TimedEvent } from '../trace/event-schema.ts'
import {
  determinismHeaderSchema,
  determinismLineSchema,
  exchangeLineSchema,
  exchangesHeaderSchema,
  originHeaderSchema,
  originLineSchema,
  secretLineSchema,
  secretsHeaderSchema,
  specialValueSchema,
  valuesHeaderSchema,
} from '../trace/sidecar-schema.ts'
import { assertBundleFolder } from './bundle-files.ts'
import type { Line } from './lines.ts'
import { readManifest, readRedactions } from './read-metadata.ts'
import { readSidecar } from './read-sidecar.ts'
import { scanEvents } from './scan-events.ts'

/** Is shown each event as it goes by. */
export interface Visitor {
  readonly visit: (timed: TimedEvent, line: Line) => void
}

/** All of a bundle but its events, which went by. */
export interface ScannedBundle<V extends Visitor>
  extends Pick<Bundle, 'manifest' | 'origin' | 'values' | 'exchanges' | 'determinism' | 'secrets'> {
  readonly visitor: V
  /** SHA-256 of each file that was read. */
  readonly digests: ReadonlyMap<string, string>
}

/**
 * Reads and checks every file of a bundle once, `integrity.json` left out. The visitor is
 * made when the manifest is known. Raises BUNDLE_NOT_FOUND, BUNDLE_INVALID and BUNDLE_UNSUPPORTED (as
 * `BundleError`), naming file, line and what to do.
 */
export function scanBundle<V extends Visitor>(
  path: string,
  visitorOf: (manifest: Manifest) => V,
): ScannedBundle<V> {
  assertBundleFolder(path)
  const manifest = readManifest(path)
  const visitor = visitorOf(manifest.value)
  const events = scanEvents(path, visitor.visit)
  const redactions = readRedactions(path)
  const origin = readSidecar(path, 'x-origin.jsonl', originHeaderSchema, originLineSchema)
  const values = readSidecar(path, 'x-values.jsonl', valuesHeaderSchema, specialValueSchema)
  const exchanges = readSidecar(
    path,
    'x-exchanges.jsonl',
    exchangesHeaderSchema,
    exchangeLineSchema,
    ({ event }, { offset, length }) => ({ event, line: { offset, length } }),
  )
  const determinism = readSidecar(path, 'x-determinism.jsonl', determinismHeaderSchema, determinismLineSchema)
  const secrets = readSidecar(path, 'x-secrets.jsonl', secretsHeaderSchema, secretLineSchema)
  const digests = new Map([
    ['manifest.json', manifest.digest],
    ['events.jsonl', events],
    ['redactions.json', redactions.digest],
  ])
  if (origin !== null) digests.set('x-origin.jsonl', origin.digest)
  if (values !== null) digests.set('x-values.jsonl', values.digest)
  if (exchanges !== null) digests.set('x-exchanges.jsonl', exchanges.digest)
  if (determinism !== null) digests.set('x-determinism.jsonl', determinism.digest)
  if (secrets !== null) digests.set('x-secrets.jsonl', secrets.digest)
  return {
    visitor,
    manifest: manifest.value,
    origin: origin && { header: origin.header, log: origin.lines },
    values: values?.lines ?? [],
    exchanges: exchanges?.lines ?? [],
    determinism: determinism && { header: determinism.header, lines: determinism.lines },
    secrets: secrets?.lines ?? [],
    digests,
  }
}
