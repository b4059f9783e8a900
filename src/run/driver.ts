/**
 * Drives one run in this process: takes the agent's calls, asks the session, hands answers over turn by turn, and writes
 * down what happened. The same in a replay and in a recording, which is a run with an empty plan.
 */
import { type BoundaryCall, type Host, isHttp, slot } from '../boundary/slot.ts'
import { real } from '../patch.ts'
import type { Plan } from '../plan/plan.ts'
import type { Handout, LiveCall } from '../session/live-call.ts'
import { createSession, type SessionOptions } from '../session/session.ts'
import type { Shape } from '../trace/call.ts'
import type { Fact } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import { answerCall } from './answering.ts'
import { decide } from './asking.ts'
import { createCallMatching } from './call-matching.ts'
import type { Ask, Decision } from './decision.ts'
import { deliver } from './delivering.ts'
import { createLiveInput, type LiveInput, type PayloadSource } from './live-input.ts'
import { liveRequest } from './live-request.ts'
import { madeFact } from './made-fact.ts'
import { recordedShapes } from './recorded-shapes.ts'
import { createRunSecrets } from './run-secrets.ts'
import { nothingYet, type RunState } from './run-state.ts'
import { createTurns } from './turns.ts'
import { createWriteOnce } from './write-once.ts'

export interface DriverOptions extends SessionOptions {
  readonly plan: Plan
  readonly redactor: Redactor
  /** Null in a recording. */
  readonly payloads: PayloadSource | null
  readonly ownsProcess: boolean
  readonly evidence?: 'divergent' | 'all'
  readonly write: (fact: Fact) => void
  /** Mode manual: asks a person what to do with a call, and waits. */
  readonly ask?: Ask
  /** Where requests may go that the recording does not explain. */
  readonly isOpen?: (url: URL) => boolean
  /** Everything has to wait: the moment to look whether the run is idle. */
  readonly onNothing: () => void
  /** A call or an answer passed. */
  readonly onArrival: () => void
}

export interface Driver {
  readonly run: RunState
  /** Milliseconds (real.now) at which the run began. */
  readonly beganAt: number
  /** The most that this run ever was behind the recording, in ms. */
  readonly late: number
  /** What `setOutput` gave. */
  readonly output: { readonly value: unknown } | null
  /** Answers that an idle run released. */
  readonly released: number
  /** Runs the agent in the turn of the run's start. */
  begin(agent: () => unknown): Promise<unknown>
  /** The turn that is going on is that of the run's start. */
  beginHere(): void
  /** Hands over what an idle run may get; false when there is nothing. */
  release(): boolean
}

export function createDriver(options: DriverOptions): Driver {
  const { plan } = options
  const recordedShape = recordedShapes(plan)
  const matching = createCallMatching(plan)
  const secrets = createRunSecrets(options.redactor, plan)
  let beganAt = real.now()
  let late = 0
  let released = 0
  let output: Driver['output'] = null
  const writeOnce = createWriteOnce(options.write)

  const host: Host = {
    mode: plan.mode === 'record' ? 'record' : 'replay',
    ownsProcess: options.ownsProcess,
    call: given => {
      const boundary = secrets.withRedactedTarget(given)
      const shape = shapeOf(boundary)
      const other = otherHost()
      if (other !== null && !session.expects(liveRequest(run, boundary, shape, inputOf(boundary), secrets)))
        return other.call(boundary)
      if (run.isSettled && plan.mode === 'record') return boundary.body()
      if (
        isAllowed(boundary) &&
        !session.expects(liveRequest(run, boundary, shape, inputOf(boundary), secrets))
      )
        return boundary.body()
      return answerCall(run, boundary, shape, arrive)
    },
    enclosing,
    setOutput: value => {
      output = { value }
    },
    service: (name, url) => writeOnce({ kind: 'service', name, url }),
    note: (code, detail) => writeOnce({ kind: 'note', code, detail }),
  }
  const session = createSession(plan, options.write, options)
  const run: RunState = {
    plan,
    redactor: options.redactor,
    payloads: options.payloads,
    tellsAll: options.evidence === 'all',
    session,
    turns: createTurns({ handOver: () => handOver(session.turn()), onNothing: options.onNothing }),
    write: options.write,
    ask: options.ask ?? null,
    now: () => Math.round((real.now() - beganAt) * 1000) / 1000,
    host,
    ...nothingYet(),
  }

  return {
    run,
    get beganAt() {
      return beganAt
    },
    get late() {
      return late
    },
    get output() {
      return output
    },
    get released() {
      return released
    },
    begin,
    beginHere,
    release: () => {
      const handout = session.idle()
      if (handout === null) return false
      released++
      run.turns.once(() => {
        handOver(handout)
        run.turns.arm()
      })
      return true
    },
  }

  function begin(agent: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      run.turns.once(() => {
        beganAt = real.now()
        run.turns.window = 'start'
        const started = slot().context.run({ host, inside: null }, async () => agent())
        started.then(resolve, reject)
        run.turns.arm()
      })
    })
  }

  function beginHere(): void {
    beganAt = real.now()
    run.turns.window = 'start'
    // Closes it.
    run.turns.once(() => {})
    run.turns.arm()
  }

  function handOver(handout: Handout | null): boolean {
    if (handout === null) return false
    const hasReached = deliver(run, handout)
    options.onArrival()
    // The head of an answer that goes out as one with its end, which need not wait for a turn of its own.
    if (!hasReached && handout.part === 'head') handOver(session.turn())
    return true
  }

  /**
   * In a replay a function answers as it did in the recording; in a recording its result will show. Of what says that it is
   * asynchronous only the recording knows whether its promise was one of a stream.
   */
  function shapeOf(boundary: BoundaryCall): Shape {
    const { declared } = boundary
    if (declared === 'stream' || isHttp(boundary)) return 'stream'
    if (plan.mode === 'record') return declared === 'async' ? 'async' : 'sync'
    const recorded = recordedShape(boundary, () => inputOf(boundary))
    return declared === 'async' && recorded === 'sync' ? 'async' : recorded
  }

  function isAllowed(boundary: BoundaryCall): boolean {
    return isHttp(boundary) && options.isOpen?.(boundary.exchange.sent.url) === true
  }

  /** A queue or a memo that began in a body outlives it: only an open call is one that code can be the body of. */
  function enclosing(): ReturnType<Host['enclosing']> {
    const context = slot().context.getStore()
    const live = context?.host === host ? (context.inside as LiveCall | null) : null
    const open = live === null ? undefined : run.executing.get(live)
    if (open === undefined) return null
    return open.exchange === undefined ? open.target.kind : 'http'
  }

  /** The earlier run whose async context the call comes from, if it is not this one's. */
  function otherHost(): Host | null {
    const from = slot().context.getStore()?.host ?? host
    return from === host ? null : from
  }

  function arrive(boundary: BoundaryCall, shape: Shape): Decision {
    const input = inputOf(boundary)
    // A recording must know now that the input can be kept, before the tool has run.
    if (plan.mode === 'record') keepNow(input)
    const request = liveRequest(run, boundary, shape, input, secrets)
    const decision = decide(run, { boundary, shape, input, request }, session.call(request))
    noteTime(decision.live)
    noteTaken(decision.live)
    run.write(
      madeFact(run, {
        shape,
        input,
        request,
        decision,
        otherSecrets: secrets.noteTaken(decision.live, input),
      }),
    )
    options.onArrival()
    run.turns.arm()
    return decision
  }

  /** The agent may catch the error; that a call is absent from the recording has to be said. */
  function keepNow(input: LiveInput): void {
    try {
      input.kept()
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      run.write({ kind: 'note', code: 'input-not-json', detail })
      throw error
    }
  }

  function inputOf(boundary: BoundaryCall): LiveInput {
    return createLiveInput(boundary.input, boundary.target, plan, run.payloads, matching, options.redactor)
  }

  /** A borrowed answer stays free for the call that it was recorded for. */
  function noteTaken({ call, lent, verdict }: LiveCall): void {
    const isBorrowed = lent || verdict === 'changed-input' || verdict === 'changed-target'
    if (call !== null && !isBorrowed) matching?.taken(call + 1)
  }

  function noteTime(live: LiveCall): void {
    if (live.verdict === 'matched') late = Math.max(late, run.now() - plan.calls[live.call!]!.at)
  }
}
