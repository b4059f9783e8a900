/** All that a verdict is made from: the plan, the journal, how the process ended, and the recorded payloads. */
import type { Json } from '../json/value.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { RecordedExchange } from '../trace/exchange.ts'
import type { Fact, RawSite } from '../trace/journal.ts'
import type { Source } from '../trace/source.ts'
import type { Trajectory } from './trajectory.ts'

/** How the agent's process ended; all null or false for a run in this process. */
export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** It was ended because nothing happened for this many ms. */
  readonly silentMs: number | null
  readonly interrupted: boolean
}

/** What a run is held against instead of, or besides, its recorded end: `--expect-output` and `--expect`. */
export type Expectation =
  /** The run completes with this output, whatever the recorded one did. */
  | { readonly kind: 'output'; readonly output: Json }
  /** The calls that were reached are as the trajectory says. */
  | { readonly kind: 'trajectory'; readonly trajectory: Trajectory }
  /** The recorded failure does not come back; calls behind it are listed and not judged. */
  | { readonly kind: 'fixed' }

export interface Evidence {
  readonly plan: Plan
  readonly facts: readonly Fact[]
  readonly processEnd: ProcessEnd
  /** Recorded payloads of a call; output is null when there is none. */
  readonly recordedInput: (call: PlannedCall) => Json
  readonly recordedResult: (call: PlannedCall) => Json
  readonly recordedExchange: (call: PlannedCall) => RecordedExchange | null
  /** The recorded output of the run; null when the recording has no run_end. */
  readonly recordedOutput: () => Json
  readonly locate: (site: RawSite) => Source | null
  /** The stack of an error, positions of the user's own code, at most ten lines. */
  readonly mapStack: (stack: string) => readonly string[]
  /** The agent runs by being imported, so it is its own main file. */
  readonly isScript: boolean
  readonly compareOutput: boolean
  /** `all`: calls that matched are told in full, too. Absent: divergent. */
  readonly detail?: 'divergent' | 'all'
  /** What the run is held against besides the recorded calls; absent: its recorded end. */
  readonly expectation?: Expectation
}
