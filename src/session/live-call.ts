import type { Part, Target } from '../trace/call.ts'
import type { Fact, Verdict } from '../trace/journal.ts'

/** A call as the agent makes it, before it is matched. */
export interface LiveRequest {
  readonly target: Target
  readonly identity: string
  /** The call inside whose body it is made; null for the agent's own. */
  readonly parent: LiveCall | null
  /** It must be answered before it returns. */
  readonly sync: boolean
  /** It is a stream: a chunk is handed out only while a read is pending. */
  readonly pulls: boolean
  /** Made in the turn of a delivery or of the run's start, so neither a timer nor I/O triggered it. */
  readonly prompt: boolean
  /** The run has settled: a call that the recording does not know is left open instead of being judged. */
  readonly afterEnd: boolean
  /** Its order does not count: it is answered when it comes, and what is recorded of it holds nothing back. */
  readonly order?: 'any'
  /** It was given a signal, so that the agent may abort it. */
  readonly canAbort?: true
  /** Whether the input is, as it stands, that of a recorded call (number from 1): cheap, and never true by mistake. */
  readonly same: (call: number) => boolean
  /** Digest of the redacted input; asked for only when `same` does not settle it. */
  readonly key: () => string
  /** Whether a recorded call (number from 1) of this key has the same secrets, so far as names tell. Absent: any fits. */
  readonly fits?: (call: number) => boolean
  /** The same of the input with another model named in it; null: it names none. */
  readonly keyFor?: (model: string) => string | null
}

/** A call that the session knows. Its fields change as the session goes on; only the session writes them. */
export interface LiveCall {
  /** From 1, in the order in which the calls were made. */
  readonly number: number
  readonly sync: boolean
  readonly pulls: boolean
  /** Index of the recorded call it took or borrowed. */
  call: number | null
  verdict: Verdict
  /** It has the answer to another input; an exact call may take it back. */
  lent: boolean
  /** It is executed: its own result is handed out, in the place of the recorded one. */
  executes: boolean
  /** It was refused: nothing recorded will be handed to it. */
  refused: boolean
  /** The agent broke it off: nothing at all is handed to it any more. */
  abandoned: boolean
  /** The agent can still abort it, as it did in the recording. */
  canAbort: boolean
  /** A read of its stream is pending. */
  pulling: boolean
  /** Parts of an executed call that wait for their place. */
  readonly ready: Executed[]
}

export function createLiveCall({ sync, pulls, canAbort }: LiveRequest, number: number): LiveCall {
  return {
    number,
    sync,
    pulls,
    call: null,
    verdict: 'extra',
    lent: false,
    executes: false,
    refused: false,
    abandoned: false,
    canAbort: canAbort === true,
    pulling: false,
    ready: [],
  }
}

/** A part of an executed call's result; the payload is the driver's own. */
export interface Executed {
  readonly part: Part
  readonly payload: unknown
}

/** The session's reply to one live call. */
export type Answer =
  /** The recorded answer will be handed out in its place; `lend`: though the input differs. */
  | { readonly kind: 'serve' | 'lend'; readonly live: LiveCall; readonly hastyBefore: number | null }
  /** Execute it; report its result with `executed`. */
  | { readonly kind: 'run'; readonly live: LiveCall; readonly hastyBefore: number | null }
  /** It stays open, as in the recording. */
  | { readonly kind: 'pending'; readonly live: LiveCall; readonly hastyBefore: number | null }
  /** It will be refused in a later turn (a synchronous call: at once). */
  | { readonly kind: 'refuse'; readonly live: LiveCall; readonly hastyBefore: number | null }

/** Something to hand to the agent now. */
export interface Handout {
  readonly live: LiveCall
  readonly part: Part
  readonly source:
    | { readonly from: 'recorded'; readonly delivery: number }
    | { readonly from: 'executed'; readonly payload: unknown }
    | { readonly from: 'refusal' }
}

export type SessionFact = Extract<
  Fact,
  { readonly kind: 'given-up' | 'taken-back' | 'given-back' | 'unanswered' }
>

/** Executes the call. */
export function run(live: LiveCall, hastyBefore: number | null = null): Answer {
  live.executes = true
  return { kind: 'run', live, hastyBefore }
}
