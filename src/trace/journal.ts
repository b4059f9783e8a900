/**
 * The journal: what happened at the boundary, one fact a line, append-only. It is the only channel out of the
 * agent's process, the same in a recording and in a replay. Times are milliseconds since the run began.
 */
import type { RecordedError } from '../json/error-record.ts'
import type { Mark } from '../json/mark.ts'
import type { Json } from '../json/value.ts'
import type { ReplayPolicy } from './bundle.ts'
import type { Part, Shape, Target } from './call.ts'
import type { DeterminismLine } from './determinism.ts'
import type { RecordedExchange } from './exchange.ts'
import type { Finding } from './redact.ts'

/** What the session answered to one live call. */
export type Verdict =
  /** There is no plan to match: a recording. */
  | 'unplanned'
  | 'matched'
  | 'changed-input'
  | 'changed-target'
  | 'extra'
  | 'exhausted'
  | 'refused'
  | 'no-result'
  | 'altered-recording'
  /** Only where the first divergence consumes nothing: equal, but before its turn. */
  | 'reordered'

/** How a live call was answered: from the recording, from a recording of another input, by running it, by hand, or not at all. */
export type AnswerKind = 'serve' | 'lend' | 'run' | 'edit' | 'refuse' | 'pending'

/** The place of agent code that made a call, as V8 printed it: `file:line:column` of the code that ran. */
export interface RawSite {
  /** Frames from the caller outwards, each `function at url:line:column`. */
  readonly frames: readonly string[]
}

export type Fact =
  /** First line of every journal. */
  | {
      readonly kind: 'began'
      readonly version: 1
      readonly wallClock: string
      readonly node: string
      readonly pid: number
    }
  /** The agent made a call. `live` counts the calls as they were made, from 1. */
  | MadeFact
  /** A plain function turned out to answer by a promise or a stream. */
  | { readonly kind: 'shaped'; readonly live: number; readonly shape: Shape }
  /** A part of an answer reached the agent. */
  | DeliveredFact
  /** What was seen of an HTTP exchange, told when it has ended or the agent has enough of it. */
  | ExchangeFact
  /** A recorded call was given up as a predecessor, so that a later one could be answered. Numbers from 1. */
  | { readonly kind: 'given-up'; readonly call: number; readonly forLive: number }
  /** An exact call took a recorded answer back from one that had borrowed it. */
  | { readonly kind: 'taken-back'; readonly call: number; readonly fromLive: number; readonly byLive: number }
  /** Where a divergence consumes nothing: a call that could only be answered out of order was refused, its place is free again. */
  | { readonly kind: 'given-back'; readonly call: number; readonly fromLive: number }
  /** The agent broke off: an abort, an early `break` out of a stream. */
  | { readonly kind: 'abandoned'; readonly at: number; readonly live: number }
  /** The agent's signal aborted while the call was open, and the call went on: how it ended, if it did, is told by itself. */
  | { readonly kind: 'aborted'; readonly at: number; readonly live: number }
  /** The run went idle on a call of which the recording has no answer, or no more of it; it was refused. */
  | { readonly kind: 'unanswered'; readonly live: number }
  /** The guard refused something that no recorded call explains. */
  | { readonly kind: 'blocked'; readonly at: number; readonly what: string; readonly site: RawSite | null }
  /** A request went to the address that an environment variable held; without credentials. */
  | { readonly kind: 'service'; readonly name: string; readonly url: string }
  /** Recording: what clock and chance gave since the fact before, or where it stands in the next one. */
  | { readonly kind: 'determinism'; readonly lines: readonly DeterminismLine[] }
  /** Recording: what random bytes are made of, in hex. */
  | { readonly kind: 'seeded'; readonly seed: string }
  /** Replay: how much of that was given again: random values, and different moments. */
  | { readonly kind: 'served'; readonly ids: number; readonly times: number }
  /** Something worth a line in the report. */
  | { readonly kind: 'note'; readonly code: NoteCode; readonly detail: string }
  /** The run's promise settled. */
  | CompletedFact
  | {
      readonly kind: 'settled'
      readonly at: number
      readonly status: 'failed'
      /** Redacted, as its stack is. */
      readonly error: RecordedError
      /** What was redacted in the error; paths are below it. */
      readonly findings?: readonly Finding[]
      readonly stack: string | null
      readonly refusedLive: number | null
    }
  /** Nothing could ever happen again and the run had not settled (an empty event loop). */
  | { readonly kind: 'stalled'; readonly at: number }
  /** The run was ended by us: at its first divergence, at the limit of calls, or because a person said so. */
  | {
      readonly kind: 'stopped'
      readonly at: number
      readonly why: 'first-divergence' | 'too-many-calls' | 'by-hand'
      readonly limit: number | null
    }
  /** Last line of a run that ended in order; the counts are for `--verbose`, `alive` names what kept the process alive. */
  | {
      readonly kind: 'ended'
      readonly at: number
      /** Answers that had to wait for another call or answer; absent in journals of older versions. */
      readonly held?: number
      /** Answers given to an idle run. */
      readonly released: number
      /** Calls that were still open. */
      readonly parked: number
      readonly alive: readonly string[]
    }
  /** The agent could not be started; ends the command with exit 2. */
  | {
      readonly kind: 'not-started'
      readonly code: string
      readonly message: string
      readonly hint: string | null
      readonly stack: string | null
    }

export interface CompletedFact {
  readonly kind: 'settled'
  readonly at: number
  readonly status: 'completed'
  /** Redacted. */
  readonly output: Json
  readonly findings?: readonly Finding[]
  /** What in the output JSON lacks. */
  readonly marks?: readonly Mark[]
  /** Why the output could not be kept; `output` is then null. */
  readonly outputNotJson?: string
}

export interface MadeFact {
  readonly kind: 'made'
  readonly live: number
  readonly at: number
  readonly target: Target
  /** The recorded call it was matched with, from 1; null in a recording, and when there is none. */
  readonly call: number | null
  readonly verdict: Verdict
  readonly answer: AnswerKind
  /** Redacted input. Absent when it equals the recorded one, unless all evidence is asked for. */
  readonly input?: Json
  /** `live` number of the call inside whose body it was made. */
  readonly parent: number | null
  /** What made it: the start of the run, the delivery (from 1) in whose turn it was made, or a timer or I/O. */
  readonly trigger: 'start' | number | null
  readonly shape: Shape
  readonly policy: ReplayPolicy
  /** Its order does not count: the agent says so now, or said so when it was recorded. */
  readonly order?: 'any'
  /** The recorded call that was still unanswered when this one was made too early. */
  readonly hastyBefore?: number
  /** The call was made after the run had settled. */
  readonly afterEnd?: boolean
  /** What was redacted in the input, and what in it JSON lacks; paths are below it. */
  readonly findings?: readonly Finding[]
  readonly marks?: readonly Mark[]
  /** Places in the input, equal otherwise, at which another secret stands than in the recorded one. */
  readonly otherSecrets?: readonly string[]
  /** Present in a recording and for every call that is not simply matched. */
  readonly site?: RawSite
}

export interface ExchangeFact {
  readonly kind: 'exchange'
  readonly live: number
  /** Redacted. */
  readonly exchange: RecordedExchange
  /** Of an exchange that did not come to its end: the output so far, redacted; paths of the findings are below it. */
  readonly output?: Json
  readonly findings?: readonly Finding[]
}

export interface DeliveredFact {
  readonly kind: 'delivered'
  readonly live: number
  readonly at: number
  readonly part: Part
  readonly status: 'ok' | 'error'
  /** Redacted; absent when it is the recorded one. */
  readonly value?: Json
  /** What was redacted in the value, or in the error; paths are below it. */
  readonly findings?: readonly Finding[]
  /** What in the value JSON lacks; paths are below it. */
  readonly marks?: readonly Mark[]
  /** The result had no JSON form and is lost; `value` is null. */
  readonly isLost?: true
  /** Chunks that came with the end of a stream, as the recording that it was answered from has no places for them. */
  readonly yielded?: readonly Json[]
  readonly error?: RecordedError
}

/** Notes are codes with one detail; their words stand in the report's catalogue. */
export type NoteCode =
  | 'refusal-unhandled'
  | 'call-after-end'
  | 'process-kept-alive'
  | 'recorded-call-unanswered'
  | 'message-differs'
  | 'output-not-recorded'
  /** The recorded output had no JSON form. */
  | 'output-lost'
  | 'telemetry-answered'
  /** `--save`: where the resulting run was written, or why it was not. */
  | 'saved'
  | 'not-saved'
  /** `--expect fixed`: the recorded failure did not come back. */
  | 'fixed'
  /** Stopped at the first divergence: recorded calls behind it. */
  | 'not-reached'
  /** Stopped by hand: recorded calls behind it. */
  | 'stopped-by-hand'
  /** A call that ran for real by request had another input than the recorded one. */
  | 'executed-other-input'
  /** A call that was answered by hand had another input than the recorded one. */
  | 'edited-other-input'
  /** A worker thread or a child process was started, in which nothing is seen. */
  | 'unwatched'
  /** Recording: a connection that is no part of a call, which a replay refuses; a file, which a replay writes as well. */
  | 'connection-unseen'
  | 'file-written'
  /** A command was replayed that is not the recorded one. */
  | 'command-differs'
  /** The files of the recording are not those that were written. */
  | 'recording-altered'
  /** A name that was asked to run for real was neither recorded nor called. */
  | 'live-unused'
  /** Recording: a result is more than its data, which is all that a replay gives back. */
  | 'result-more-than-json'
  /** Recording: a call was refused, as its input has no JSON form. */
  | 'input-not-json'
  /** Recording: a result could not be kept, so this call cannot be replayed. */
  | 'result-not-json'
