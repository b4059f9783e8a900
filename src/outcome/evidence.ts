/** All that a verdict is made from: the plan, the journal, how the process ended, and the recorded payloads. */
import type { Json } from '../json/value.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { Fact, RawSite } from '../trace/journal.ts'
import type { Source } from '../trace/source.ts'

/** How the agent's process ended; all null or false for a run in this process. */
export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** It was ended because nothing happened for this many ms. */
  readonly silentMs: number | null
  readonly interrupted: boolean
}

export interface Evidence {
  readonly plan: Plan
  readonly facts: readonly Fact[]
  readonly processEnd: ProcessEnd
  /** Recorded payloads of a call; output is null when there is none. */
  readonly recordedInput: (call: PlannedCall) => Json
  readonly recordedResult: (call: PlannedCall) => Json
  /** The recorded output of the run; null when the recording has no run_end. */
  readonly recordedOutput: () => Json
  readonly locate: (site: RawSite) => Source | null
  /** The stack of an error, positions of the user's own code, at most ten lines. */
  readonly mapStack: (stack: string) => readonly string[]
  /** The agent runs by being imported, so it is its own main file. */
  readonly isScript: boolean
  readonly compareOutput: boolean
}
