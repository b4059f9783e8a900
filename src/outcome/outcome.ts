/** The verdict of one replay as data: what `--json` prints and what every reporter reads (shape 1, docs/json.md). */
import type { Difference } from '../json/compare.ts'
import type { Json } from '../json/value.ts'
import type { NoteCode } from '../trace/journal.ts'
import type { Source } from '../trace/source.ts'

export type RunVerdict = 'matched' | 'reproduced' | 'diverged' | 'error'
export type ExitCode = 0 | 1 | 2 | 3 | 130

export type CallKind =
  | 'changed-input'
  | 'changed-target'
  | 'reordered'
  | 'not-awaited'
  | 'extra'
  | 'exhausted'
  | 'missing'
  | 'no-result'
  | 'refused'
  | 'altered-recording'
  | 'derived-differs'
  | 'blocked'

export type RunKind =
  | 'output-differs'
  | 'output-not-json'
  | 'failure-differs'
  /** `--expect fixed`: the recorded failure happened again. */
  | 'not-fixed'
  /** `--expect <trajectory>`: an assertion does not hold. */
  | 'expectation-failed'
  | 'agent-error'
  | 'agent-timeout'
  | 'agent-stalled'
  | 'agent-exit'
  | 'too-many-calls'

export type Kind = CallKind | RunKind

export interface Divergence {
  readonly kind: Kind
  /** Number of the recorded call, from 1. */
  readonly call: number | null
  /** Number of the live call, from 1, as they were made. */
  readonly live: number | null
  readonly label: string
  /** True for a cause; false when it follows from another. */
  readonly root: boolean
  /** Index in `divergences` of the cause it follows from. */
  readonly causedBy: number | null
  /** Equal refused calls in a row are one divergence. */
  readonly occurrences: number
  readonly recorded: Json
  readonly actual: Json
  readonly source: Source | null
  readonly differences: readonly Difference[]
  readonly facts: DivergenceFacts
}

/** Arguments of the sentence for each kind (the words stand in report/words.ts); a kind uses those it needs. */
export interface DivergenceFacts {
  /** extra: labels in the recording, each once, in recorded order, at most 20. changed-target: that of the recorded call. */
  readonly recordedLabels?: readonly string[]
  /** The recorded call was a request over HTTP: no code of the agent's is wrapped for it. */
  readonly isHttp?: boolean
  /** extra, exhausted: the recorded call (number) that this live call came after; 0 before the first. reordered: the last of those that it overtook. */
  readonly after?: number
  /** exhausted: how often the recording has this very call. */
  readonly recordedTimes?: number
  /** A refused call: what the agent did with the refusal, so far as it is known. */
  readonly swallowed?: boolean
  /** extra: the recorded call whose answer it was given, before the very call came and took its place. */
  readonly lentFrom?: number
  /** reordered: the recorded call that it came after and is recorded before; not-awaited: the call still open. */
  readonly before?: number
  /** refused: what forbids it, and the policy recorded with the call. */
  readonly by?: 'mode' | 'policy'
  readonly policy?: string
  /** agent-error, failure-differs: what was thrown; null name: it completed. */
  readonly errorName?: string | null
  readonly errorMessage?: string | null
  readonly recordedErrorName?: string
  readonly recordedErrorMessage?: string
  /** agent-error: the original stack, positions of the user's code, at most 10 lines. */
  readonly stack?: readonly string[]
  /** agent-timeout: milliseconds without a call or an answer. agent-timeout, agent-stalled: last call made, and calls open. */
  readonly silentMs?: number
  readonly lastCall?: string | null
  readonly openCalls?: readonly string[]
  /** agent-exit. */
  readonly code?: number | null
  readonly signal?: string | null
  /** output-not-json: why, and where in the value. blocked: the address. */
  readonly what?: string
  /** too-many-calls. */
  readonly limit?: number
  /** output-differs: from the output of `--expect-output`, which stands in the place of the recorded one. */
  readonly isExpected?: boolean
  /** no-result: there was one, but it had no JSON form. */
  readonly isLost?: boolean
  /** A difference in what was asked, after two equal concurrent calls: the recording cannot tell their answers apart. */
  readonly ambiguous?: boolean
  /** changed-input: places, equal otherwise, at which another secret stands than in the recorded call. */
  readonly otherSecrets?: readonly string[]
  /** missing: the agent's file changed since the recorded call site. */
  readonly recordedSite?: string
}

/** One side of a call, with all evidence; secrets are replaced. */
export interface CallSide {
  readonly input: Json
  /** Null when it failed, was refused or never answered. */
  readonly output: Json
  readonly error: { readonly name: string; readonly message: string } | null
  /** Milliseconds since its run began. */
  readonly at: number
  readonly endedAt: number | null
  /** The call inside whose body it was made: `number` on the recorded side, `live` on the other. */
  readonly parent: number | null
}

export interface CallSides {
  readonly recorded: CallSide | null
  readonly actual: CallSide | null
}

export interface CallOutcome {
  /** Recorded number, or null for a live call that no recorded call answers. */
  readonly number: number | null
  /** Live number, or null for a recorded call that was not made. */
  readonly live: number | null
  readonly kind: 'tool' | 'llm'
  readonly label: string
  readonly step: number | null
  readonly verdict: 'matched' | CallKind
  readonly answer: 'recorded' | 'executed' | 'edited' | 'derived' | 'refused' | 'none'
  readonly servedFrom: number | null
  readonly source: Source | null
  /** For the list of a matched run: short text of the input (or of the chat) without the label, whether it failed, and the earlier call it overlaps. */
  readonly summary: string
  readonly failed: boolean
  readonly overlaps: number | null
  /** Only with all evidence. */
  readonly sides?: CallSides
}

export interface Totals {
  readonly recorded: number
  readonly matched: number
  readonly changed: number
  readonly reordered: number
  readonly missing: number
  readonly extra: number
  readonly refused: number
  readonly executed: number
}

/** A code and its argument; the words stand in report/words.ts. */
export interface Note {
  readonly code: NoteCode
  readonly detail: string
}

export interface RunOutcome {
  readonly bundle: {
    readonly path: string
    readonly agentName: string | null
    readonly runId: string | null
    readonly status: string | null
    /** What the run was given in place of the recorded input, for the command that records it again; not part of `--json`. */
    readonly input?: Json
  }
  readonly agent:
    | {
        readonly file: string
        readonly export: string | null
        /** What followed `--`: the agent's arguments, for the command that runs it again. Absent: none. */
        readonly argv?: readonly string[]
        /** As on the command line; absent: the bundling one. */
        readonly loader?: 'tsx'
      }
    | { readonly command: readonly string[] }
    | null
  readonly mode: string
  readonly order: string
  readonly isolation: 'process' | 'in-process'
  readonly verdict: RunVerdict
  readonly exitCode: ExitCode
  readonly durationMs: number
  readonly totals: Totals
  readonly calls: readonly CallOutcome[]
  readonly divergences: readonly Divergence[]
  readonly output: {
    readonly compared: boolean
    readonly equal: boolean | null
    readonly answersAreRecorded: boolean
    readonly differences: readonly Difference[]
  }
  /** Failure that the recording pins and the replay reproduced. */
  readonly failure: { readonly type: string; readonly message: string } | null
  /** Calls and sockets that were really made; null when nobody watched (in-process runs). */
  readonly liveCalls: number | null
  readonly notes: readonly Note[]
  readonly served: { readonly ids: number; readonly times: number }
  readonly rules: readonly string[]
  /** Counts for `--verbose`. */
  readonly waits: { readonly held: number; readonly released: number; readonly parked: number }
  readonly error: { readonly code: string; readonly message: string; readonly hint: string | null } | null
}

export interface Outcome {
  readonly stepfork: string
  readonly shape: 1
  readonly verdict: RunVerdict
  readonly exitCode: ExitCode
  readonly runs: readonly RunOutcome[]
}
