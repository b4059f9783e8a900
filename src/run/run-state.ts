/** What the parts of the driver share about one run. Only run/ writes it. */
import type { BoundaryCall, Host, HttpExchange } from '../boundary/slot.ts'
import type { Plan } from '../plan/plan.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Session } from '../session/session.ts'
import type { ExchangeHead } from '../trace/exchange.ts'
import type { Fact } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import type { Ask } from './decision.ts'
import type { PayloadSource } from './live-input.ts'
import type { Turns } from './turns.ts'
import type { WaitingCalls } from './waiting.ts'

export interface RunState {
  readonly plan: Plan
  readonly redactor: Redactor
  /** Null in a recording. */
  readonly payloads: PayloadSource | null
  /** Calls that matched are written down in full, too. */
  readonly tellsAll: boolean
  readonly session: Session
  readonly turns: Turns
  readonly write: (fact: Fact) => void
  readonly waiting: WaitingCalls
  /** Calls whose body is running. */
  readonly executing: Map<LiveCall, BoundaryCall>
  /** HTTP exchanges that are going on for real. */
  readonly tapes: Map<LiveCall, Tape>
  /** What refused requests were told, and the live number of the last one that was told so. */
  readonly refusedRequests: Map<string, number>
  /** Mode manual: asks a person what to do with a call, and waits; null: the plan says it. */
  readonly ask: Ask | null
  /** Milliseconds since the run began, to the microsecond. */
  readonly now: () => number
  host: Host
  /** Deliveries so far; each is the number of the turn it opens. */
  delivered: number
  /** Executed calls whose result has not come. */
  inFlight: number
  isSettled: boolean
}

/** Of a run that has not begun. */
export function nothingYet() {
  return {
    waiting: new Map(),
    executing: new Map(),
    tapes: new Map(),
    refusedRequests: new Map(),
    delivered: 0,
    inFlight: 0,
    isSettled: false,
  } satisfies Partial<RunState>
}

/** What passed so far in an executed HTTP exchange. */
export interface Tape {
  readonly exchange: HttpExchange
  readonly head: ExchangeHead
  /** Dropped when they are too large to be kept. */
  readonly parts: Uint8Array[]
  /** Bytes of the body. */
  size: number
}
