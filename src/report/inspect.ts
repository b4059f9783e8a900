/** A recording as text: who ran, how it ended, and the calls in their order. */
import { type RecordedCall, readEventLog } from '../plan/event-log.ts'
import type { Bundle, IntegrityStatus } from '../trace/bundle.ts'
import { inspectCalls } from './inspect-calls.ts'
import { eventsInFull, eventTable } from './inspect-events.ts'
import { marksFor } from './marks.ts'
import { cutLine, EMPTY, type Line, type Paper, printPage, type Span, span, wrapLine } from './page.ts'
import { count, duration } from './phrases.ts'
import { chosenEvents, type EventChoice, type ReadEvent, shownText } from './shown-events.ts'

export interface InspectOptions extends Paper, EventChoice {
  /** List events, not calls. */
  readonly events: boolean
}

/** Null when there is no event at the step asked for. */
export function inspectText(bundle: Bundle, readEvent: ReadEvent, options: InspectOptions): string | null {
  const events = chosenEvents(bundle, options)
  if (options.step !== null && events.length === 0) return null
  if (options.step !== null)
    return printPage(eventsInFull(bundle, events, readEvent, options).slice(1), options)
  const { calls } = readEventLog(bundle.events)
  const body =
    options.events || options.errorsOnly
      ? eventTable(events, readEvent, options)
      : inspectCalls(bundle, calls, readEvent, options)
  return printPage(
    [...header(bundle, calls, options), EMPTY, ...(body.length === 0 ? [NO_CALLS] : body)],
    options,
  )
}

const NO_CALLS = cutLine(span('  no calls recorded', 'dim'))

function header(bundle: Bundle, calls: readonly RecordedCall[], paper: Paper): Line[] {
  const { manifest, path } = bundle
  const failed = manifest.status === 'failed'
  return [
    wrapLine(
      4,
      span(`${path}  `, 'bold'),
      span(`${shownText(manifest.agent_name)}, `),
      span(manifest.status === 'running' ? 'not finished' : manifest.status, failed ? 'bad' : 'plain'),
    ),
    EMPTY,
    fact('recorded', span([clock(manifest.created_at), ...took(bundle), ...recorder(bundle)].join(', '))),
    fact('run', span(`${manifest.run_id}, schema ${manifest.schema_version}`)),
    fact('calls', span(callCounts(bundle))),
    fact('integrity', INTEGRITY[bundle.integrity]),
    ...failure(bundle),
    ...unanswered(calls, paper),
  ]
}

function fact(name: string, text: Span): Line {
  return wrapLine(13, span(`  ${name.padEnd(11)}`, 'dim'), text)
}

const INTEGRITY: Record<IntegrityStatus, Span> = {
  verified: span('verified: every file is as it was written'),
  mismatch: span('MISMATCH: a file was changed after it was written (stepfork validate names it)', 'bad'),
  unverified_legacy: span('unknown: there is no integrity.json, so nothing tells whether a file was changed'),
}

/** `2026-12-01 02:43:54 UTC`; a time of another zone stays as it is. */
function clock(text: string): string {
  return text.replace(/^([\d-]+)T([\d:]+)(?:\.\d+)?(?:Z|\+00:00)$/, '$1 $2 UTC')
}

function took({ manifest, events }: Bundle): string[] {
  const measured = (events.at(-1)?.time ?? 0) - (events[0]?.time ?? 0)
  const ms = manifest.totals.duration_ms ?? measured
  return Number.isFinite(ms) && ms > 0 ? [`took ${duration(ms)}`] : []
}

function recorder({ origin, manifest }: Bundle): string[] {
  if (origin !== null) return [`by ${origin.header.recorder.name} ${origin.header.recorder.version}`]
  const { python, stepfork_version } = manifest.environment
  return python === null
    ? []
    : [`by the Python package${stepfork_version === null ? '' : ` ${stepfork_version}`}`]
}

function callCounts({ events }: Bundle): string {
  const models = events.filter(event => event.type === 'llm_request').length
  const tools = events.filter(event => event.type === 'tool_call').length
  return `${models + tools} (${models} model, ${tools} tool), ${count(events.length, 'event')}`
}

function failure({ manifest }: Bundle): Line[] {
  if (manifest.failure === null) return []
  const { type, message, step } = manifest.failure
  const place = step === null ? '' : `step ${step}, `
  return [fact('failure', span(place + shownText(`${type}: ${message}`), 'bad'))]
}

function unanswered(calls: readonly RecordedCall[], paper: Paper): Line[] {
  const open = calls.filter(call => call.outcome === null).length
  if (open === 0) return []
  return [
    fact('open', span(`${count(open, 'call')} without a recorded answer (${marksFor(paper).bad} below)`)),
  ]
}
