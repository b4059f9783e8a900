import type { Bundle, EventHead } from '../trace/bundle.ts'
import type { ReadEvent, TimedEvent } from '../trace/event-schema.ts'
import {
  originHeaderSchema,
  originLineSchema,
  specialValueSchema,
  valuesHeaderSchema,
} from '../trace/sidecar-schema.ts'
import { assertBundleFolder } from './bundle-files.ts'
import { bundleIntegrity } from './bundle-integrity.ts'
import type { Line } from './lines.ts'
import { readManifest, readRedactions } from './read-metadata.ts'
import { readSidecar } from './read-sidecar.ts'
import { scanEvents } from './scan-events.ts'

/**
 * Reads a recorded run in one streaming pass. Of each event all but its payloads is kept; those are read by offset when
 * they are wanted (`openPayloads`). Checks the shape of every file and line; what contradicts itself across events
 * (duplicate ids, parents that do not exist) is loaded, and found by `validateBundle`. A bad or missing
 * `integrity.json` is told in `integrity`.
 *
 * Raises BUNDLE_NOT_FOUND, BUNDLE_INVALID or BUNDLE_UNSUPPORTED, naming file, line and what to do.
 */
export function readBundle(path: string): Bundle {
  assertBundleFolder(path)
  const manifest = readManifest(path)
  const { events, digest } = readHeads(path)
  const redactions = readRedactions(path)
  const origin = readSidecar(path, 'x-origin.jsonl', originHeaderSchema, originLineSchema)
  const values = readSidecar(path, 'x-values.jsonl', valuesHeaderSchema, specialValueSchema)
  const digests = new Map([
    ['manifest.json', manifest.digest],
    ['redactions.json', redactions.digest],
    ['events.jsonl', digest],
    ...(origin === null ? [] : [['x-origin.jsonl', origin.digest] as const]),
    ...(values === null ? [] : [['x-values.jsonl', values.digest] as const]),
  ])
  return {
    kind: 'bundle',
    path,
    manifest: manifest.value,
    events,
    integrity: bundleIntegrity(path, digests).status,
    origin: origin && { header: origin.header, log: origin.lines },
    values: values?.lines ?? [],
  }
}

function readHeads(path: string): { readonly events: readonly EventHead[]; readonly digest: string } {
  const events: EventHead[] = []
  const shared = new Map<string, string>()
  const digest = scanEvents(path, (timed, line) => events.push(headOf(timed, line, shared)))
  return { events, digest }
}

function headOf({ event, time }: TimedEvent, line: Line, shared: Map<string, string>): EventHead {
  return {
    id: event.id,
    parentId: event.parent_id,
    step: event.step,
    type: event.type,
    time,
    status: event.status,
    policy: event.replay_policy,
    inputHash: event.input_hash,
    outputHash: event.output_hash,
    label: share(labelOf(event), shared),
    provider: event.type === 'llm_request' && event.provider !== null ? share(event.provider, shared) : null,
    line: { offset: line.offset, length: line.length },
  }
}

/** Names repeat; parsing makes a new string each time, which a long run would hold a hundred thousand times. */
function share(text: string, shared: Map<string, string>): string {
  const known = shared.get(text)
  if (known !== undefined) return known
  if (shared.size < 10_000) shared.set(text, text)
  return text
}

function labelOf(event: ReadEvent): string {
  switch (event.type) {
    case 'run_start':
      return 'run_start'
    case 'llm_request':
      return event.model
    case 'llm_response':
      return event.model ?? ''
    case 'tool_call':
    case 'tool_result':
      return event.name
    case 'state_change':
      return event.key ?? ''
    case 'error':
      return event.error_type
    case 'run_end':
      return event.run_status
  }
}
