/**
 * What is asked of a person before a call is answered (mode manual), and what may be said: a line of JSON each way, on a
 * channel of its own beside the journal, since the agent's process waits for the reply.
 */

import type { RecordedError } from '../json/error-record.ts'
import type { Json } from '../json/value.ts'
import type { Target } from './call.ts'
import type { Verdict } from './journal.ts'

export interface Question {
  /** Number of the live call, from 1. */
  readonly live: number
  readonly kind: Target['kind']
  /** Name of the tool, or `provider/model`. */
  readonly label: string
  /** Redacted. */
  readonly input: Json
  /** Live call inside whose body it is made; null for the agent's own. */
  readonly inside: number | null
  readonly verdict: Verdict
  /** The recorded call beside it; null when the recording has none. */
  readonly call: AskedCall | null
  /** How many calls are recorded. */
  readonly of: number
}

export interface AskedCall {
  /** From 1. */
  readonly number: number
  readonly label: string
  readonly input: Json
  /** What taking it gives to the agent; null when there is nothing to take. */
  readonly answer: AskedAnswer | null
}

export type AskedAnswer =
  | { readonly status: 'ok'; readonly value: Json }
  | { readonly status: 'undefined' }
  | { readonly status: 'error'; readonly error: Pick<RecordedError, 'name' | 'message'> }
  /** It was never answered, and will not be. */
  | { readonly status: 'open' }

export type Reply =
  | { readonly kind: 'take' | 'run' | 'stop' }
  /** `value` stands where a recorded result would: of a stream, `{ "yielded": […], "returned": … }`. */
  | { readonly kind: 'edit'; readonly value: Json }

/** Only what the recording can answer can be taken. */
export function canTake({ call }: Question): boolean {
  return call !== null && call.answer !== null
}
