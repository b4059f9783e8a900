import { canonicalText } from '../json/canonical-text.ts'
import { canonicalValue } from '../json/canonical-value.ts'
import { digest } from '../json/digest.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { HASHED, type PayloadName, type TraceEvent } from './event.ts'
import type { Finding } from './redact.ts'
import type { Redactor } from './redactor.ts'

export interface EventLine {
  /** One line of `events.jsonl`, without its newline. */
  readonly text: string
  /** What was redacted in it, earlier and now. */
  readonly findings: readonly Finding[]
}

/**
 * An event as it is written: redacted, then hashed, all fields in the fixed order of the format, payload members in the
 * order in which they came. Raises NOT_JSON for a payload without canonical form.
 */
export function eventLine(event: TraceEvent, redactor: Redactor): EventLine {
  const given = ownFields(event)
  const redaction = redactor.redact(given)
  const fields = redaction.value as OwnFields
  const payloads = payloadTexts(event, given, fields)
  const findings = distinct([...(event.findings ?? []), ...redaction.findings])
  const head = {
    ...structural(event),
    ...hashes(event, fields, payloads),
    redactions: [...new Set(findings.map(finding => finding.path))],
  }
  const members = [
    ...Object.entries(head).map(([name, value]) => member(name, JSON.stringify(value))),
    ...Object.entries(fields).map(([name, value]) =>
      member(name, payloads.get(name)?.text ?? writeJson(value)),
    ),
  ]
  return { text: `{${members.join(',')}}`, findings }
}

type OwnFields = { readonly [name: string]: Json }

/** The fields of its type, which are redacted, in file order. */
function ownFields(event: TraceEvent): OwnFields {
  switch (event.type) {
    case 'run_start':
      return { input: event.input }
    case 'llm_request':
      return { provider: event.provider, model: event.model, input: event.input }
    case 'llm_response':
      return { model: event.model, output: event.output, ...tokens(event) }
    case 'tool_call':
      return { name: event.name, input: event.input }
    case 'tool_result':
      return { name: event.name, output: event.output }
    case 'state_change':
      return { key: event.key, before: event.before, after: event.after }
    case 'error':
      // The format has no empty message; Python puts the type there, too.
      return {
        error_type: event.error_type,
        message: event.message || event.error_type,
        details: event.details,
      }
    case 'run_end':
      return { run_status: event.run_status, output: event.output }
  }
}

function tokens(event: Extract<TraceEvent, { readonly type: 'llm_response' }>): OwnFields {
  const { prompt_tokens, completion_tokens, total_tokens, cost_usd } = event
  return { prompt_tokens, completion_tokens, total_tokens, cost_usd }
}

interface PayloadText {
  readonly text: string
  /** From a bundle as it stood there, so its number spellings count in the hash. */
  readonly isVerbatim: boolean
}

function payloadTexts(
  event: TraceEvent,
  given: OwnFields,
  fields: OwnFields,
): ReadonlyMap<string, PayloadText> {
  const texts = new Map<string, PayloadText>()
  for (const name of Object.values(HASHED[event.type])) {
    const verbatim = fields[name] === given[name] ? event.texts?.[name] : undefined
    texts.set(name, { text: verbatim ?? writeJson(fields[name]!), isVerbatim: verbatim !== undefined })
  }
  return texts
}

function structural(event: TraceEvent): Record<string, string | number | null> {
  const { id, run_id, parent_id, step, type, timestamp, duration_ms, status, replay_policy } = event
  return { id, run_id, parent_id, step, type, timestamp, duration_ms, status, replay_policy }
}

function hashes(
  event: TraceEvent,
  fields: OwnFields,
  texts: ReadonlyMap<string, PayloadText>,
): { readonly input_hash: string | null; readonly output_hash: string | null } {
  const hashOf = (name: PayloadName | undefined): string | null => {
    if (name === undefined) return null
    const { text, isVerbatim } = texts.get(name)!
    return digest(isVerbatim ? canonicalText(text) : canonicalValue(fields[name]))
  }
  const { input, output } = HASHED[event.type]
  return { input_hash: hashOf(input), output_hash: hashOf(output) }
}

function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [`${finding.reason} ${finding.path}`, finding])).values()]
}

function member(name: string, text: string): string {
  return `"${name}":${text}`
}
