/** The recorded calls as a table: one line a call, with what was asked and what came back. */

import type { RecordedError } from '../json/error-record.ts'
import { largest } from '../json/largest.ts'
import type { JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { RecordedCall } from '../plan/event-log.ts'
import { failuresOf } from '../plan/failures.ts'
import { labelOf } from '../plan/identity.ts'
import type { Bundle, EventHead } from '../trace/bundle.ts'
import { cutEnd, displayWidth } from './display-width.ts'
import { marksFor } from './marks.ts'
import { cutLine, type Line, type Paper, span } from './page.ts'
import { answerSummary, chatSummary, replySummary, requestSummary } from './payload-summary.ts'
import { duration } from './phrases.ts'
import { safe } from './safe-text.ts'
import { eventDetails, type ReadEvent, shownText } from './shown-events.ts'
import { SANE_LIMIT, valueText } from './value-text.ts'

interface Row {
  readonly start: string
  readonly call: string
  readonly result: string
  readonly failed: boolean
  readonly took: string
}

/** Share of the free columns that the call may take when call and result are both long. */
const CALL_SHARE = 0.64
/** Columns of `0.2 s` and its gap. */
const TOOK = 8

/** `calls` are those of the event log. */
export function inspectCalls(
  bundle: Bundle,
  calls: readonly RecordedCall[],
  readEvent: ReadEvent,
  paper: Paper,
): Line[] {
  const failures = failuresOf(bundle, calls, (line, name) => writeJson(readEvent(line)[name] ?? null))
  const table: Table = { bundle, calls, failures, readEvent, paper }
  const rows = calls.map((_, index) => rowOf(index, table))
  const columns = columnsOf(rows, paper.width - TOOK - (marksFor(paper).gives.length + 4))
  return rows.map(row => rowLine(row, columns, paper))
}

interface Table {
  readonly bundle: Bundle
  readonly calls: readonly RecordedCall[]
  readonly failures: readonly (RecordedError | null)[]
  readonly readEvent: ReadEvent
  readonly paper: Paper
}

function rowOf(index: number, table: Table): Row {
  const { bundle, calls, failures, readEvent, paper } = table
  const { event, outcome } = calls[index]!
  const head = bundle.events[event]!
  const end = outcome === null ? null : bundle.events[outcome]!
  const answer = end === null ? null : readEvent(end.line)
  const number = String(index + 1).padStart(String(calls.length).length)
  const inner = '  '.repeat(Math.min(6, depthOf(calls, index)))
  const failure = failures[index] ?? null
  return {
    start: `  ${number}  ${inner}${head.type === 'llm_request' ? 'model' : 'tool '}  `,
    call: safe(callText(head, table), paper),
    result: safe(answer === null ? 'no answer recorded' : resultText(head, answer, failure, paper), paper),
    failed: failure !== null || end === null,
    took: end === null || answer === null ? '' : duration(tookMs(head, end, answer)),
  }
}

function depthOf(calls: readonly RecordedCall[], index: number): number {
  let depth = 0
  for (let at = calls[index]!.inside; at !== null && depth < 99; at = calls[at]!.inside) depth++
  return depth
}

function callText(head: EventHead, { readEvent, paper }: Table): string {
  const { input = null } = eventDetails(readEvent(head.line))
  const policy = head.policy === 'frozen' ? '' : ` (${head.policy})`
  if (head.type !== 'llm_request') {
    const text = requestSummary(head.label, input, paper) ?? valueText(input, SANE_LIMIT, paper)
    return `${shownText(head.label)}${policy} ${text}`
  }
  const label = labelOf({ kind: 'llm', provider: head.provider, model: head.label })
  return `${shownText(label)}${policy}, ${chatSummary(input) ?? valueText(input, SANE_LIMIT, paper)}`
}

function resultText(
  head: EventHead,
  answer: JsonObject,
  failure: RecordedError | null,
  paper: Paper,
): string {
  const { output = null } = eventDetails(answer)
  const whole = (): string => valueText(output, SANE_LIMIT, paper)
  if (failure !== null) return shownText(failureText(failure) ?? `failed: ${whole()}`)
  const summary =
    head.type === 'llm_request' ? replySummary(output, paper) : answerSummary(head.label, output, paper)
  return summary ?? whole()
}

/** Null where the recording says only that it failed. */
function failureText({ name, message }: RecordedError): string | null {
  if (message !== '') return `${name}: ${message}`
  return name === 'DependencyError' ? null : name
}

function tookMs(head: EventHead, end: EventHead, { duration_ms }: JsonObject): number {
  return typeof duration_ms === 'number' ? duration_ms : Math.max(0, end.time - head.time)
}

interface Columns {
  readonly call: number
  readonly result: number
}

/** As wide as they need to be; when that is too much, each at least its share. */
function columnsOf(rows: readonly Row[], room: number): Columns {
  if (room === Number.POSITIVE_INFINITY) return { call: 0, result: SANE_LIMIT }
  const call = largest(
    20,
    rows.map(row => displayWidth(row.start + row.call)),
  )
  const result = largest(
    10,
    rows.map(row => displayWidth(row.result)),
  )
  const width = Math.min(call, Math.max(Math.floor(room * CALL_SHARE), room - result))
  return { call: width, result: Math.min(result, room - width) }
}

/** Piped output has no columns to keep: there each text stands in full. */
function rowLine({ start, call, result, failed, took }: Row, columns: Columns, paper: Paper): Line {
  const { cut, gives, bad } = marksFor(paper)
  const narrow = paper.width !== Number.POSITIVE_INFINITY
  const left = narrow ? cutEnd(start + call, columns.call, cut) : start + call
  const right = cutEnd(result, columns.result, cut)
  return cutLine(
    span(left),
    span(' '.repeat(Math.max(0, columns.call - displayWidth(left)))),
    span(`  ${(failed ? bad : gives).padEnd(gives.length)} `, failed ? 'bad' : 'dim'),
    span(right, failed ? 'bad' : 'plain'),
    span(narrow ? ' '.repeat(Math.max(0, columns.result - displayWidth(right))) : ''),
    span(narrow ? took.padStart(TOOK) : `  ${took}`, 'dim'),
  )
}
