/**
 * The fields of the eight events in the order of the file, as data: the check of what was written by either
 * implementation (`isAsWritten`) and the lenient one (`event-schema.ts`) are made from it.
 */
import type { EventStatus, EventType, ReplayPolicy, RunStatus } from './bundle.ts'

/** What each kind of field holds once it is read. */
export interface FieldTypes {
  readonly text: string
  readonly textOrNull: string | null
  /** May be empty. */
  readonly stringOrNull: string | null
  /** 0 or more. */
  readonly whole: number
  readonly wholeOrNull: number | null
  readonly amountOrNull: number | null
  /** With a zone, or an epoch number. */
  readonly time: string | number
  readonly status: EventStatus
  /** The status of an error event, which is `error` unless it says otherwise. */
  readonly errorStatus: EventStatus
  readonly policy: ReplayPolicy
  readonly runStatus: RunStatus
  readonly texts: readonly string[]
  readonly payload: unknown
  /** A payload that may be missing. */
  readonly maybePayload: unknown
}

export type FieldKind = keyof FieldTypes

const common = {
  id: 'text',
  run_id: 'text',
  parent_id: 'textOrNull',
  step: 'whole',
  timestamp: 'time',
  duration_ms: 'wholeOrNull',
  status: 'status',
  replay_policy: 'policy',
  input_hash: 'stringOrNull',
  output_hash: 'stringOrNull',
  redactions: 'texts',
} as const

export const EVENT_FIELDS = {
  run_start: { ...common, input: 'maybePayload' },
  llm_request: { ...common, provider: 'stringOrNull', model: 'text', input: 'payload' },
  llm_response: {
    ...common,
    model: 'textOrNull',
    output: 'payload',
    prompt_tokens: 'wholeOrNull',
    completion_tokens: 'wholeOrNull',
    total_tokens: 'wholeOrNull',
    cost_usd: 'amountOrNull',
  },
  tool_call: { ...common, name: 'text', input: 'payload' },
  tool_result: { ...common, name: 'text', output: 'payload' },
  state_change: { ...common, key: 'stringOrNull', before: 'maybePayload', after: 'maybePayload' },
  error: { ...common, status: 'errorStatus', error_type: 'text', message: 'text', details: 'maybePayload' },
  run_end: { ...common, run_status: 'runStatus', output: 'maybePayload' },
} as const satisfies Record<EventType, { readonly [field: string]: FieldKind }>

type EventFields = typeof EVENT_FIELDS

/** An event as read, payloads parsed. */
export type ReadEvent = { [T in EventType]: EventOfType<T> }[EventType]

type EventOfType<T extends EventType> = { readonly type: T } & {
  readonly [F in keyof EventFields[T]]: EventFields[T][F] extends FieldKind
    ? FieldTypes[EventFields[T][F]]
    : never
}
