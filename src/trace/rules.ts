import type { EventType, Manifest } from './bundle.ts'
import { type IdSet, idSet } from './id-set.ts'
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
  /** How many events there were, and all issues: of the manifest, of the events in their order, of the whole run. */
  readonly end: () => { readonly events: number; readonly issues: readonly Issue[] }
}

/** A partial run may lack its beginning and the error that it failed with. */
export function rulesOf(manifest: Manifest, mode: 'strict' | 'partial'): Rules {
  const seen: Seen = {
    events: 0,
    ids: idSet(manifest.totals.events),
    lastStep: null,
    lastId: null,
    runStarts: 0,
    errors: 0,
    found: [],
  }
  return {
    add: (event, others = []) => {
      addEvent(event, manifest, seen)
      seen.found.push(...others)
    },
    end: () => {
      const ofRun = mode === 'strict' ? runIssues(manifest, seen) : []
      return { events: seen.events, issues: [...countIssues(manifest, seen), ...eventIssues(seen), ...ofRun] }
    },
  }
}

interface Seen {
  events: number
  readonly ids: IdSet
  lastStep: number | null
  lastId: string | null
  runStarts: number
  errors: number
  /** A parent not seen so far is judged at the end: it may come later, or never. */
  readonly found: (Issue | { readonly orphan: Orphan })[]
}

/** The event without its payloads, which must not be kept. */
type Orphan = Pick<RuledEvent, 'id' | 'parent_id' | 'step'>

function addEvent(event: RuledEvent, manifest: Manifest, seen: Seen): void {
  const { id, run_id, parent_id, step } = event
  const report = (code: RuleCode, message: string): void => {
    seen.found.push(issueOf(code, message, event))
  }
  // Looked up before its own id is taken in: an event that is its own parent does not come earlier.
  const isOrphan = parent_id !== null && !isKnown(parent_id, seen)
  if (!seen.ids.add(id)) report('duplicate_event_id', `the event id ${id} is used more than once`)
  if (run_id !== manifest.run_id) {
    report('run_id_mismatch', `event ${id} is of run ${run_id}, the manifest of run ${manifest.run_id}`)
  }
  if (seen.lastStep !== null && step < seen.lastStep) {
    report('step_order', `event ${id} has step ${step}, after an event with step ${seen.lastStep}`)
  }
  if (isOrphan) seen.found.push({ orphan: { id, parent_id, step } })
  count(event, seen)
}

/** The parent is often the event before. */
function isKnown(id: string, seen: Seen): boolean {
  return id === seen.lastId || seen.ids.has(id)
}

function count(event: RuledEvent, seen: Seen): void {
  seen.lastStep = event.step
  seen.lastId = event.id
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
