/**
 * One run from its start to its end: the agent starts in a turn of its own, answers go out turn by turn, and when the
 * run's promise has settled a replay waits for recorded calls that were not yet made, until nothing can bring them.
 */
import { type Host, slot } from '../boundary/slot.ts'
import { watchHttp } from '../boundary/watch-http.ts'
import { real } from '../patch.ts'
import type { Plan } from '../plan/plan.ts'
import type { Fact } from '../trace/journal.ts'
import { createRedactor, type Redactor } from '../trace/redactor.ts'
import type { Ask } from './decision.ts'
import { createDriver, type Driver } from './driver.ts'
import { writeOpenExchanges } from './exchange-tape.ts'
import { createIdleWatch } from './idle-watch.ts'
import type { PayloadSource } from './live-input.ts'
import { refusedLiveIn } from './refused-live.ts'
import { type RunEnd, settledFact } from './run-end.ts'
import type { TimerWatch } from './timer-watch.ts'

export interface RunOptions {
  readonly plan: Plan
  readonly payloads: PayloadSource | null
  readonly write: (fact: Fact) => void
  /** Absent: the plan's profile, and no environment. */
  readonly redactor?: Redactor
  /** Mode manual: asks a person what to do with a call, and waits. */
  readonly ask?: Ask
  /** Where requests may go that the recording does not explain. */
  readonly isOpen?: (url: URL) => boolean
  readonly onDivergence: 'continue' | 'stop'
  readonly stallMs: number
  /** `all`: inputs and call sites of calls that matched are written, too. */
  readonly evidence?: 'divergent' | 'all'
  /** The run is alone in its process: an empty event loop then means that it can never go on. */
  readonly ownsProcess: boolean
  /** A script: when nothing is left to do, it has completed. */
  readonly endsWhenIdle?: boolean
  readonly timers: TimerWatch | null
}

/** How far a replay may be behind the recording before a timer counts as later than anything recorded. */
const HORIZON_SLACK_MS = 50

export interface Run {
  /** Runs the agent to its end; never rejects. */
  toEnd(agent: () => unknown): Promise<RunEnd>
  /** Begins in code that is running already; gives who answers its calls. `endHere` is the end of such a run. */
  beginHere(): Host
  endHere(end: RunEnd): void
  /** Ends the run from outside: an uncaught error, a script that exits. */
  settleNow(end: RunEnd): void
  readonly isSettled: boolean
  /** The live number of the refused call that an error comes from; null: none. */
  refusedLive(error: unknown): number | null
}

export function createRun(options: RunOptions): Run {
  const { plan } = options
  const hosts = slot().hosts
  let settle!: (end: RunEnd) => void
  const settledFromOutside = new Promise<RunEnd>(resolve => {
    settle = resolve
  })
  let onDrained: (() => void) | null = null
  let unwatchHttp = (): void => {}
  let isLoaded = false
  let isGoingOn = false
  /** What is still in flight when a run ends goes on, but is no longer part of it; its journal may be closed. */
  const write = (fact: Fact): void => {
    if (isGoingOn) options.write(fact)
  }
  const driver: Driver = createDriver({
    ...options,
    redactor: options.redactor ?? createRedactor(plan.redaction),
    write,
    onNothing: () => {
      if (!isGoingOn) return
      if (plan.mode !== 'record') idle.start()
      if (onDrained !== null && driver.run.session.firstUnmade() === null) onDrained()
    },
    onArrival: () => idle.arrived(),
  })
  const idle = createIdleWatch({
    ownsProcess: options.ownsProcess,
    stallMs: options.stallMs,
    timers: options.timers,
    horizon,
    isBusy: () => driver.run.turns.isArmed || driver.run.inFlight > 0,
    onIdle,
  })

  return {
    toEnd: async agent => {
      start()
      const own = outcomeOf(driver.begin(agent))
      const end = await Promise.race([options.endsWhenIdle ? untilIdle(own) : own, settledFromOutside])
      noteEnd(end)
      if (end.status !== 'stalled' && driver.run.session.firstUnmade() !== null) await drained()
      finish()
      return end
    },
    beginHere: () => {
      start()
      driver.beginHere()
      return driver.run.host
    },
    endHere: end => {
      if (!isGoingOn) return
      noteEnd(end)
      finish()
    },
    settleNow: settle,
    refusedLive: error => refusedLiveIn(driver.run, error),
    get isSettled() {
      return driver.run.isSettled
    },
  }

  function start(): void {
    isGoingOn = true
    write({
      kind: 'began',
      version: 1,
      wallClock: new Date(real.wallClock()).toISOString(),
      node: process.version,
      pid: process.pid,
    })
    driver.run.isSettled = false
    onDrained = null
    hosts.add(driver.run.host)
    unwatchHttp = watchHttp()
    if (options.ownsProcess) process.on('beforeExit', onEmptyLoop)
  }

  function noteEnd(end: RunEnd): void {
    writeOpenExchanges(driver.run)
    write(settledFact(end, driver))
    driver.run.isSettled = true
  }

  function horizon(): number {
    const next = driver.run.session.firstUnmade()?.at ?? plan.end?.at ?? 0
    return driver.beganAt + next + Math.max(0, driver.late) + HORIZON_SLACK_MS
  }

  function onIdle(): boolean {
    if (driver.release()) return true
    onDrained?.()
    idle.arrived()
    return onDrained === null
  }

  /** The event loop is empty: exact, unless an `AbortSignal.timeout`, which does not keep it alive, is still to come. */
  function onEmptyLoop(): void {
    const { due } = options.timers?.next(idle.lastArrival) ?? { due: Number.POSITIVE_INFINITY }
    if (due <= horizon()) real.setTimeout(() => {}, Math.max(1, due - real.now() + 1))
    else if (driver.release()) return
    else if (onDrained !== null) onDrained()
    else settle(isLoaded ? { status: 'completed', value: undefined } : { status: 'stalled' })
  }

  /** A script's import settles long before its work is done; only its failure is an end. */
  async function untilIdle(own: Promise<RunEnd>): Promise<RunEnd> {
    const end = await own
    if (end.status !== 'completed') return end
    isLoaded = true
    return settledFromOutside
  }

  function drained(): Promise<void> {
    return new Promise(resolve => {
      onDrained = resolve
      driver.run.turns.arm()
    })
  }

  function finish(): void {
    idle.stop()
    process.off('beforeExit', onEmptyLoop)
    hosts.delete(driver.run.host)
    unwatchHttp()
    write({
      kind: 'ended',
      at: driver.run.now(),
      held: driver.run.session.held,
      released: driver.released,
      parked: driver.run.session.openCalls().length,
      alive: options.ownsProcess ? aliveKinds() : [],
    })
    isGoingOn = false
  }
}

function outcomeOf(promise: Promise<unknown>): Promise<RunEnd> {
  return promise.then(
    value => ({ status: 'completed', value }) as const,
    error => ({ status: 'failed', error }) as const,
  )
}

function aliveKinds(): string[] {
  return [...new Set(process.getActiveResourcesInfo())].filter(kind => kind !== 'Immediate')
}
