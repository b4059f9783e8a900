/**
 * Events with their payloads, as they are handed to the writer; member names are those of `events.jsonl` (schema 0.1 of
 * the Python implementation). Hashes are not among them: the writer makes them from the redacted payloads.
 */
import type { Json } from '../json/value.ts'
import type { EventStatus, EventType, ReplayPolicy, RunStatus } from './bundle.ts'
import type { Finding } from './redact.ts'

interface EventBase {
  readonly id: string
  readonly run_id: string
  readonly parent_id: string | null
  readonly step: number
  /** With a zone, for example `2026-12-01T02:43:51.126432Z`. */
  readonly timestamp: string
  readonly duration_ms: number | null
  readonly status: EventStatus
  readonly replay_policy: ReplayPolicy
  /** What was redacted before the writer sees the event; paths begin at the event (`/input/password`). */
  readonly findings?: readonly Finding[]
  /**
   * Payloads as they stood in the bundle that the event was read from. Written and hashed in place of the parsed ones,
   * so that spellings which JavaScript loses (`1.0`) survive a rewrite.
   */
  readonly texts?: { readonly [member in PayloadName]?: string }
}

export type TraceEvent = EventBase &
  (
    | { readonly type: 'run_start'; readonly input: Json }
    | {
        readonly type: 'llm_request'
        readonly provider: string | null
        readonly model: string
        readonly input: Json
      }
    | {
        readonly type: 'llm_response'
        readonly model: string | null
        readonly output: Json
        readonly prompt_tokens: number | null
        readonly completion_tokens: number | null
        readonly total_tokens: number | null
        readonly cost_usd: number | null
      }
    | { readonly type: 'tool_call'; readonly name: string; readonly input: Json }
    | { readonly type: 'tool_result'; readonly name: string; readonly output: Json }
    | {
        readonly type: 'state_change'
        readonly key: string | null
        readonly before: Json
        readonly after: Json
      }
    | {
        readonly type: 'error'
        readonly error_type: string
        readonly message: string
        readonly details: Json
      }
    | { readonly type: 'run_end'; readonly run_status: RunStatus; readonly output: Json }
  )

export type PayloadName = 'input' | 'output' | 'details' | 'before' | 'after'

/** Which payload is hashed into which field. */
export const HASHED: Readonly<
  Record<EventType, { readonly input?: PayloadName; readonly output?: PayloadName }>
> = {
  run_start: { input: 'input' },
  llm_request: { input: 'input' },
  llm_response: { output: 'output' },
  tool_call: { input: 'input' },
  tool_result: { output: 'output' },
  state_change: { input: 'before', output: 'after' },
  error: { output: 'details' },
  run_end: { output: 'output' },
}
