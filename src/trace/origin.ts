/**
 * The sidecar `x-origin.jsonl`: who recorded the bundle and how, and the log of calls and deliveries in their exact
 * order. First line a header, then one line per call, delivery or abort, in the order in which they happened. Calls are
 * numbered from 1 as they were made; `event` ties each to `events.jsonl`. Optional: without it the order is taken from
 * the events, and nothing is known about triggers, chunks and call sites. Described in docs/format.md.
 */

import type { Shape } from './call.ts'
import type { ProfileName } from './redaction-profile.ts'

export interface OriginHeader {
  readonly format: 'stepfork-origin'
  readonly version: 1
  readonly recorder: { readonly name: string; readonly version: string; readonly node: string }
  /** Which redaction was applied before hashing. */
  readonly redaction: ProfileName
  /** Payload members stand in the order in which the agent saw them. */
  readonly keeps_order: boolean
  /** What JSON lacks is told in `x-values.jsonl`: a text without a mark was a text. Absent: false. */
  readonly keeps_values?: boolean | undefined
  /** Run id of the recording that was replayed to make this one; null for a run of its own. */
  readonly parent_run_id: string | null
  /** The agent file relative to the working directory and its export, or the command. Shown, never executed. */
  readonly agent:
    | { readonly file: string; readonly export: string | null }
    | { readonly command: readonly string[] }
    | null
  readonly environment: {
    readonly tz: string | null
    readonly locale: string | null
    readonly node_env: string | null
    /** Addresses of services that requests went to, by the environment variable that held them; without credentials. */
    readonly services?: { readonly [name: string]: string } | undefined
  }
}

export type OriginLine =
  | {
      readonly call: number
      readonly event: string
      /** Milliseconds since the run began. */
      readonly at: number
      readonly trigger: 'start' | number | null
      readonly shape: Shape
      /** Number of the call inside whose body it was made. */
      readonly inside: number | null
      /** `file:line:column function`, the file relative to the working directory. */
      readonly site: string | null
      /** The agent asked that its order be not compared. */
      readonly order?: 'any' | undefined
    }
  | { readonly call: number; readonly part: 'head' | 'chunk' | 'end'; readonly at: number }
  /** The agent's signal aborted while the call was open. */
  | { readonly call: number; readonly abort: true; readonly at: number }
