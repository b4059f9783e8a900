import type { Bundle, EventHead } from '../trace/bundle.ts'
import type { ReadEvent } from '../trace/event-fields.ts'
import type { TimedEvent } from '../trace/event-schema.ts'
import { bundleIntegrity } from './bundle-integrity.ts'
import { headTable } from './head-table.ts'
import type { Line } from './lines.ts'
import { scanBundle } from './scan-bundle.ts'

/**
 * Reads a recorded run in one streaming pass. Of each event all but its payloads is kept; those are read by offset when
 * they are wanted (`openPayloads`). Checks the shape of every file and line; what contradicts itself across events
 * (duplicate ids, parents that do not exist) is loaded, and found by `validateBundle`. A bad or missing
 * `integrity.json` is told in `integrity`.
 *
 * Raises BUNDLE_NOT_FOUND, BUNDLE_INVALID or BUNDLE_UNSUPPORTED, naming file, line and what to do.
 */
export function readBundle(path: string): Bundle {
  const { visitor, digests, ...rest } = scanBundle(path, headVisitor)
  const integrity = bundleIntegrity(path, digests).status
  return { kind: 'bundle', path, ...rest, events: visitor.heads(), integrity }
}

function headVisitor() {
  const { add, heads } = headTable()
  return { heads, visit: (timed: TimedEvent, line: Line) => add(headOf(timed, line)) }
}

function headOf({ event, time }: TimedEvent, line: Line): EventHead {
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
    label: labelOf(event),
    provider: event.type === 'llm_request' ? event.provider : null,
    line: { offset: line.offset, length: line.length },
  }
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
