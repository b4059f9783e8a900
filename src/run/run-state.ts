/** What the parts of the driver share about one run. Only run/ writes it. */
import type { BoundaryCall, Host } from '../boundary/slot.ts'
import type { Plan } from '../plan/plan.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Session } from '../session/session.ts'
import type { Shape } from '../trace/call.ts'
import type { Fact } from '../trace/journal.ts'
import type { PayloadSource } from './live-input.ts'
import type { Sink } from './sinks.ts'
import type { Turns } from './turns.ts'

export interface RunState {
  readonly plan: Plan
  /** Null in a recording. */
  readonly payloads: PayloadSource | null
  readonly session: Session
  readonly turns: Turns
  readonly write: (fact: Fact) => void
  /** Where the answer of each call that waits is to go. */
  readonly waiting: Map<LiveCall, Waiting>
  /** Milliseconds since the run began, to the microsecond. */
  readonly now: () => number
  host: Host
  /** Deliveries so far; each is the number of the turn it opens. */
  delivered: number
  /** Executed calls whose result has not come. */
  inFlight: number
  isSettled: boolean
}

export interface Waiting {
  readonly sink: Sink
  readonly boundary: BoundaryCall
  readonly shape: Shape | null
}
