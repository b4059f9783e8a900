/** The events of a recording: a table, or those of one step with all that they hold. */
import { largest } from '../json/largest.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { Bundle, EventHead } from '../trace/bundle.ts'
import { cutLine, EMPTY, type Line, type Paper, span, wrapLine } from './page.ts'
import { eventDetails, type ReadEvent, shownText } from './shown-events.ts'
import { SANE_LIMIT, valueText } from './value-text.ts'

/** One line an event; its details are cut at the end of the line. */
export function eventTable(events: readonly EventHead[], readEvent: ReadEvent, paper: Paper): Line[] {
  const shown = events.map(event => shownText(event.label))
  const steps = largest(
    4,
    events.map(event => String(event.step).length),
  )
  const labels = Math.min(
    24,
    largest(
      5,
      shown.map(label => label.length),
    ),
  )
  return [
    cutLine(
      span(`  ${'step'.padStart(steps)}  ${'event'.padEnd(12)}  ${'name'.padEnd(labels)}  details`, 'dim'),
    ),
    ...events.map((event, index) => {
      const label = shown[index]!.padEnd(labels)
      const start = `  ${String(event.step).padStart(steps)}  ${event.type.padEnd(12)}  ${label}  `
      const details = valueText(withoutLabel(event, readEvent), SANE_LIMIT, paper)
      return cutLine(span(start), ...failedWord(event), span(details))
    }),
  ]
}

function failedWord({ status }: EventHead) {
  return status === 'ok' ? [] : [span(`${status} `, 'bad')]
}

/** Name and model have a column of their own; a null payload is a value, a null count is nothing. */
const ELSEWHERE = new Set(['name', 'model', 'error_type', 'key', 'duration_ms'])
const PAYLOADS = new Set(['input', 'output', 'before', 'after'])

function withoutLabel(event: EventHead, readEvent: ReadEvent): Json {
  const details = Object.entries(eventDetails(readEvent(event.line)))
  const told = details.filter(
    ([name, value]) => !ELSEWHERE.has(name) && (value !== null || PAYLOADS.has(name)),
  )
  return Object.fromEntries(told)
}

/** Each event with its payloads, indented. */
export function eventsInFull(
  bundle: Bundle,
  events: readonly EventHead[],
  readEvent: ReadEvent,
  paper: Paper,
): Line[] {
  const start = bundle.events[0]?.time ?? 0
  return events.flatMap(event => [
    EMPTY,
    cutLine(
      span(`  step ${event.step}  ${event.type}  `),
      span(shownText(event.label), 'bold'),
      ...(event.status === 'ok' ? [] : [span(`  ${event.status}`, 'bad')]),
      span(`  ${event.id}, ${((event.time - start) / 1000).toFixed(3)} s after the start`, 'dim'),
    ),
    ...jsonLines(eventDetails(readEvent(event.line)), '    ', '', paper),
  ])
}

/** Indented JSON; long texts are wrapped, not cut: this is where one comes to read them. */
function jsonLines(value: Json, indent: string, name: string, paper: Paper): Line[] {
  const members = membersOf(value)
  if (members === null) {
    return [
      wrapLine(indent.length + 2, span(`${indent}${name}`, 'dim'), span(valueText(value, SANE_LIMIT, paper))),
    ]
  }
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return [
    cutLine(span(`${indent}${name}${open}`, 'dim')),
    ...members.flatMap(([key, member]) => jsonLines(member, `${indent}  `, key, paper)),
    cutLine(span(`${indent}${close}`, 'dim')),
  ]
}

/** Members with their names as text; null for what is shown on one line. */
function membersOf(value: Json): readonly (readonly [string, Json])[] | null {
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(item => ['', item] as const)
  if (!isJsonObject(value) || Object.keys(value).length === 0) return null
  return Object.entries(value).map(([key, member]) => [`${JSON.stringify(key)}: `, member] as const)
}
