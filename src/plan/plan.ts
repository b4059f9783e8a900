/**
 * What a replay will do, decided before the agent runs: the log of recorded calls and deliveries, and for each call
 * how it will be answered. JSON, versioned; it goes into the agent's process, where payloads are read by offset.
 */

import type { RecordedError } from '../json/error-record.ts'
import type { Mark } from '../json/mark.ts'
import type { Matcher } from '../match/matcher.ts'
import type { ReplayPolicy, RunStatus, Slice } from '../trace/bundle.ts'
import type { Part, Shape, Target } from '../trace/call.ts'
import type { Served } from '../trace/determinism.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import type { SecretLine } from '../trace/secret-lines.ts'

export type Mode = 'record' | 'frozen' | 'hybrid' | 'live' | 'derived' | 'manual' | 'forbidden'
export type Order = 'causal' | 'sequence' | 'any'

/** How a recorded call is answered when a live one takes it. */
export type Treatment = 'serve' | 'run' | 'refuse'

export interface PlannedCall {
  /** From 1, in recorded order. */
  readonly number: number
  readonly step: number
  readonly target: Target
  /** Kind and name, or provider and model, as one text. */
  readonly identity: string
  /** Digests of the redacted input that match it (match/match-keys.ts); two when an integer beyond 2^53 may come as either number type. */
  readonly keys: readonly string[]
  /** In a plan made from a cassette: which inputs it stands for; its one key is then its own (run/call-matching.ts). */
  readonly match?: Matcher
  /** Which secrets the placeholders in its input stood for, by JSON Pointer into it; absent: none, or nobody knows. */
  readonly secrets?: readonly InputSecret[]
  /** The recorded input's line, and that of its outcome (null when the recording has none). */
  readonly request: Slice
  readonly outcome: Slice | null
  /** Its line in `x-exchanges.jsonl`, when it was recorded over HTTP and that can be relied on. */
  readonly exchange?: Slice
  /** The recorded failure; null when the call succeeded or has no outcome. */
  readonly error: RecordedError | null
  /** What in the recorded input and result JSON lacks; absent: nothing. */
  readonly inputMarks?: readonly Mark[]
  readonly resultMarks?: readonly Mark[]
  /** Deliveries recorded before this call was made: it may have used any of them. */
  readonly due: number
  /** Indexes of its own deliveries in `Plan.deliveries`, in order. */
  readonly parts: readonly number[]
  /** Milliseconds since the recorded run began. */
  readonly at: number
  /** What made it: the run's start, a delivery (index in `Plan.deliveries`), or null for a timer or I/O. */
  readonly trigger: 'start' | number | null
  /** Null when the recording does not tell. */
  readonly shape: Shape | null
  /** Number of the call inside whose body it was made; null for the agent's own. */
  readonly inside: number | null
  /** Its order does not count, by the agent's own word when it was recorded. */
  readonly order?: 'any'
  /** The agent aborted it while it was open: how many of its `parts` had been delivered before that. */
  readonly abortedAfter?: number
  readonly policy: ReplayPolicy
  readonly treatment: Treatment
  /** Why it is refused: the mode, the recorded policy, a payload that no longer has its hash, a result that had no JSON form. */
  readonly refusal: 'mode' | 'policy' | 'altered-recording' | 'lost' | null
  /** `file:line:column function` where the recording made it; null when unknown. */
  readonly site: string | null
}

export type InputSecret = Pick<SecretLine, 'path' | 'secrets'>

export interface Delivery {
  /** Index of its call in `Plan.calls`. */
  readonly call: number
  readonly part: Part
  /** Calls that had been made before it. */
  readonly after: number
  readonly at: number
}

export interface Plan {
  readonly kind: 'plan'
  readonly version: 1
  readonly bundle: string
  readonly agentName: string
  readonly runId: string
  readonly mode: Mode
  readonly order: Order
  /** Labels of the tools and models that are executed instead of answered; 'all' in a recording. */
  readonly live: readonly string[] | 'all'
  readonly calls: readonly PlannedCall[]
  readonly deliveries: readonly Delivery[]
  /** Line of run_start, for the recorded input; null when there is none. */
  readonly input: Slice | null
  readonly inputMarks?: readonly Mark[]
  readonly end: {
    readonly status: RunStatus
    /** Null when the output had no JSON form: there is nothing to compare with. */
    readonly output: Slice | null
    readonly outputMarks?: readonly Mark[]
    readonly at: number
    readonly failure: { readonly type: string; readonly message: string } | null
  } | null
  /** The recording knows what triggered each call, so a call made too early can be judged. */
  readonly hasTriggers: boolean
  /** Payload members stand as the agent saw them; if not, texts that are JSON are compared as JSON. */
  readonly keepsOrder: boolean
  /** The recording tells what in its payloads JSON lacks, so that a Date is not its text; if not, plain forms are compared. */
  readonly keepsValues: boolean
  /** A recorded null output is an output; a bundle without origin cannot tell it from none. */
  readonly nullOutputCounts: boolean
  readonly redaction: ProfileName
  /** What clock and chance gave and will give again. Absent: the recording does not tell, and they are as they are. */
  readonly served?: Served
}

/** Exact JSON text of one payload of an event, read from `events.jsonl`. */
export type ReadPayload = (line: Slice, member: 'input' | 'output' | 'details' | 'message') => string
