import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { jsonFault } from '../json/parse-json.ts'
import { isJsonObject } from '../json/value.ts'
import type { Manifest } from '../trace/bundle.ts'
import { check } from '../trace/field-schema.ts'
import type { IntegrityRecord, NoRecord } from '../trace/integrity.ts'
import {
  integritySchema,
  manifestSchema,
  type RedactionEntry,
  redactionsSchema,
} from '../trace/metadata-schema.ts'
import { refuseBundle } from './bundle-error.ts'
import { readBundleFile } from './bundle-files.ts'

/** A file as read, and the digest of its bytes. */
export interface Digested<T> {
  readonly value: T
  readonly digest: string
}

/** Reads and checks `manifest.json`. Raises BUNDLE_INVALID and BUNDLE_UNSUPPORTED. */
export function readManifest(bundlePath: string): Digested<Manifest> {
  return readChecked(bundlePath, 'manifest.json', manifestSchema)
}

/** Reads and checks `redactions.json`. Raises BUNDLE_INVALID and BUNDLE_UNSUPPORTED. */
export function readRedactions(bundlePath: string): Digested<readonly RedactionEntry[]> {
  const { value, digest } = readChecked(bundlePath, 'redactions.json', redactionsSchema)
  return { value: value.entries, digest }
}

/** Reads `integrity.json`. A bad one is no reason not to load a bundle, so it is told, not thrown. */
export function readIntegrity(bundlePath: string): IntegrityRecord | NoRecord {
  const bytes = readBundleFile(bundlePath, 'integrity.json')
  if (bytes === null) return { kind: 'absent' }
  const parsed = parseText(bytes)
  if ('fault' in parsed) return { kind: 'unreadable', reason: `integrity.json: ${parsed.fault}` }
  const checked = check(integritySchema, parsed.value)
  return 'fault' in checked
    ? { kind: 'unreadable', reason: `integrity.json: ${checked.fault}` }
    : checked.value
}

function readChecked<T>(bundlePath: string, name: string, schema: z.ZodMiniType<T>): Digested<T> {
  const place = join(bundlePath, name)
  const bytes = readBundleFile(bundlePath, name)
  if (bytes === null) refuseBundle({ code: 'missing_file', place, fault: 'it is gone' })
  const parsed = parseText(bytes)
  if ('fault' in parsed) refuseBundle({ code: 'invalid_json', place, fault: parsed.fault })
  assertVersion(parsed.value, place)
  const checked = check(schema, parsed.value)
  if ('fault' in checked) refuseBundle({ code: 'invalid_manifest', place, fault: checked.fault })
  return { value: checked.value, digest: createHash('sha256').update(bytes).digest('hex') }
}

function parseText(bytes: Buffer): { readonly value: unknown } | { readonly fault: string } {
  if (bytes.length === 0) return { fault: 'it is empty' }
  if (!isUtf8(bytes)) return { fault: 'it is not UTF-8' }
  const text = bytes.toString('utf8')
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { fault: jsonFault(text) }
  }
}

/** Looked at before anything else: what else is wrong with a later schema is none of our business. */
function assertVersion(value: unknown, place: string): void {
  if (!isJsonObject(value) || value.schema_version === '0.1') return
  const version = JSON.stringify(value.schema_version) ?? 'none'
  refuseBundle({
    code: 'unsupported_schema',
    place,
    fault: `its schema version is ${version}; only "0.1" is known`,
  })
}
