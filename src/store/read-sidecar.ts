import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import type * as z from 'zod/mini'
import { isStepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Slice } from '../trace/bundle.ts'
import { check } from '../trace/field-schema.ts'
import { refuseBundle } from './bundle-error.ts'
import { openBundleFile } from './bundle-files.ts'
import { type Line, readLines } from './lines.ts'
import { refuseLine } from './scan-events.ts'

/** A sidecar of JSON lines: its first line says what it is, the others are its content. */
export interface Sidecar<H, L> {
  readonly header: H
  readonly lines: readonly L[]
  /** SHA-256 of the file. */
  readonly digest: string
}

/** Whatever it holds, the bundle is one without it. */
const HINT = 'The file is damaged: copy the bundle again, or remove this file and go on with less.'

/** Reads a sidecar; null when the bundle has none. Raises BUNDLE_INVALID, and BUNDLE_UNSUPPORTED for a later version. */
export function readSidecar<H, L, K = L>(
  bundlePath: string,
  name: string,
  headerSchema: z.ZodMiniType<H>,
  lineSchema: z.ZodMiniType<L>,
  /** What is kept of a line; default all of it. */
  keep: (line: L, at: Slice) => K = line => line as unknown as K,
): Sidecar<H, K> | null {
  const place = join(bundlePath, name)
  const fd = openBundleFile(bundlePath, name)
  if (fd === null) return null
  try {
    const sha = createHash('sha256')
    const onBytes = (chunk: Uint8Array): void => void sha.update(chunk)
    let header: H | undefined
    const kept: K[] = []
    for (const line of readLines(fd, { onBytes, onFault: fault => refuseLine(place, fault) })) {
      if (line.number === 1) header = headerOf(line, headerSchema, place)
      else kept.push(keep(checked(lineSchema, parseLine(line, place), `${place}:${line.number}`), line))
    }
    if (header === undefined) refuseBundle({ code: 'invalid_json', place, fault: 'it is empty', hint: HINT })
    return { header, lines: kept, digest: sha.digest('hex') }
  } finally {
    closeSync(fd)
  }
}

function headerOf<H>(line: Line, schema: z.ZodMiniType<H>, place: string): H {
  const value = parseLine(line, place)
  if (isJsonObject(value) && value.version !== 1) {
    const fault = `its version is ${writeJson(value.version ?? null)}; only 1 is known`
    const hint = 'A later stepfork wrote it: update stepfork.'
    refuseBundle({ code: 'unsupported_schema', place, fault, hint })
  }
  return checked(schema, value, `${place}:1`)
}

function parseLine(line: Line, place: string): Json {
  try {
    return parseJson(line.text)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    refuseBundle({ code: 'invalid_json', place: `${place}:${line.number}`, fault: error.message, hint: HINT })
  }
}

function checked<T>(schema: z.ZodMiniType<T>, value: Json, place: string): T {
  const result = check(schema, value)
  if ('value' in result) return result.value
  refuseBundle({ code: 'invalid_event', place, fault: result.fault, hint: HINT })
}
