import { StepforkError } from '../errors.ts'
import type { TraceEvent } from './event.ts'
import { redact } from './redact.ts'
import { parseTimestamp } from './timestamp.ts'

/**
 * Refuses an event that the format has no place for and that would make its whole bundle unreadable: better told now,
 * by name. Raises WRITE_FAILED.
 */
export function assertEvent(event: TraceEvent): void {
  const refuse = (what: string): never => {
    throw new StepforkError('WRITE_FAILED', `the event ${event.id} (${event.type}) ${what}`)
  }
  if (parseTimestamp(event.timestamp) === null)
    refuse(`has the time stamp ${event.timestamp}, without a zone`)
  for (const id of [event.id, event.run_id, event.parent_id]) {
    if (id === '') refuse('has an empty id')
    // Ids are not redacted, since they tie events together; so one must not hold a secret.
    if (id !== null && redact(id).value !== id) refuse('has an id that looks like a credential')
  }
  if (nameOf(event) === '') refuse('has an empty name')
  if (!Number.isInteger(event.step) || event.step < 0) refuse(`has the step ${event.step}`)
}

function nameOf(event: TraceEvent): string | null {
  if (event.type === 'tool_call' || event.type === 'tool_result') return event.name
  if (event.type === 'llm_request' || event.type === 'llm_response') return event.model
  return event.type === 'error' ? event.error_type : null
}
