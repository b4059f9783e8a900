import type { EventType, Manifest } from './bundle.ts'
import type { Issue, RuleCode } from './issue.ts'

/** What the rules need of an event. */
export interface RuledEvent {
  readonly id: string
  readonly run_id: string
  readonly parent_id: string | null
  readonly step: number
  readonly type: EventType
}

/** The rules across events, fed one event at a time, so that validating needs no list of them. */
export interface Rules {
  /** `others` are issues of this event that some other check found. */
  readonly add: (event: RuledEvent, others?: readonly Issue[]) => void
  /** All issues: of the manifest, of the events in their order, of the run as a whole. */
  readonly end: () => Issue[]
}

/** A partial run may lack its beginning and the error that it failed with. */
export function rulesOf(manifest: Manifest, mode: 'strict' | 'partial'): Rules {
  const seen: Seen = { events: 0, ids: new Set(), lastStep: null, runStarts: 0, errors: 0, found: [] }
  return {
    add: (event, others = []) => {
      addEvent(event, manifest, seen)
      seen.found.push(...others)
    },
    end: () => [
      ...countIssues(manifest, seen),
      ...eventIssues(seen),
      ...(mode === 'strict' ? runIssues(manifest, seen) : []),
    ],
  }
}

interface Seen {
  events: number
  readonly ids: Set<string>
  lastStep: number | null
  runStarts: number
  errors: number
  /** A parent not seen so far is judged at the end: it may come later, or never. */
  readonly found: (Issue | { readonly orphan: Orphan })[]
}

/** The event without its payloads, which must not be kept. */
type Orphan = Pick<RuledEvent, 'id' | 'parent_id' | 'step'>

function addEvent(event: RuledEvent, manifest: Manifest, seen: Seen): void {
  const report = (code: RuleCode, message: string): void => {
    seen.found.push(issueOf(code, message, event))
  }
  if (seen.ids.has(event.id)) report('duplicate_event_id', `the event id ${event.id} is used more than once`)
  if (event.run_id !== manifest.run_id) {
    report(
      'run_id_mismatch',
      `event ${event.id} is of run ${event.run_id}, the manifest of run ${manifest.run_id}`,
    )
  }
  if (seen.lastStep !== null && event.step < seen.lastStep) {
    report(
      'step_order',
      `event ${event.id} has step ${event.step}, after an event with step ${seen.lastStep}`,
    )
  }
  if (event.parent_id !== null && !seen.ids.has(event.parent_id)) {
    seen.found.push({ orphan: { id: event.id, parent_id: event.parent_id, step: event.step } })
  }
  count(event, seen)
}

function count(event: RuledEvent, seen: Seen): void {
  seen.ids.add(event.id)
  seen.lastStep = event.step
  seen.events++
  if (event.type === 'run_start') seen.runStarts++
  if (event.type === 'error') seen.errors++
}

function countIssues(manifest: Manifest, seen: Seen): Issue[] {
  const { events } = manifest.totals
  if (events === seen.events) return []
  const message = `the manifest counts ${events} events, events.jsonl holds ${seen.events}`
  return [issueOf('event_count_mismatch', message, null, 'manifest.json:totals.events')]
}

function eventIssues(seen: Seen): Issue[] {
  return seen.found.map(found => ('orphan' in found ? orphanIssue(found.orphan, seen) : found))
}

function orphanIssue(event: Orphan, seen: Seen): Issue {
  return seen.ids.has(event.parent_id!)
    ? issueOf(
        'parent_not_earlier',
        `the parent ${event.parent_id} of event ${event.id} does not come before it`,
        event,
      )
    : issueOf('invalid_parent', `the parent ${event.parent_id} of event ${event.id} does not exist`, event)
}

function runIssues(manifest: Manifest, seen: Seen): Issue[] {
  const issues: Issue[] = []
  if (seen.runStarts !== 1) {
    const message = `a whole run has exactly one run_start; this one has ${seen.runStarts}`
    issues.push(issueOf('run_start_count', message, null, 'events.jsonl'))
  }
  if (manifest.status === 'failed' && seen.errors === 0) {
    const message = 'the manifest says that the run failed, but there is no error event'
    issues.push(issueOf('missing_error_event', message, null, 'events.jsonl'))
  }
  return issues
}

function issueOf(
  code: RuleCode,
  message: string,
  event: Orphan | null,
  location: string | null = null,
): Issue {
  return { code, message, event_id: event?.id ?? null, step: event?.step ?? null, location }
}
