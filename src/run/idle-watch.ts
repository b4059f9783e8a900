/**
 * Tells when a run is idle: nothing else can happen, so a call that waits for its predecessors may be answered. Loop
 * empty is told by `beforeExit` (run-agent.ts); here are the two weaker forms. *Quiet*: for 25 ms (100 in a shared
 * process) all that is alive is passive (listening servers, watchers, timers due after the horizon) and no CPU was
 * burned. *Stall*: nothing arrived for the stall time and the horizon is past; what is alive then counts as passive from
 * there on.
 */
import { real } from '../patch.ts'
import type { TimerWatch } from './timer-watch.ts'

export interface IdleWatchOptions {
  /** The run is alone in its process, so all that is alive is its own. */
  readonly ownsProcess: boolean
  readonly stallMs: number
  readonly timers: TimerWatch | null
  /** Milliseconds (real.now) until which something recorded may still be expected. */
  readonly horizon: () => number
  /** A turn is armed or an executed call has not come back. */
  readonly isBusy: () => boolean
  /** Returns false when there is nothing left to watch for. */
  readonly onIdle: (why: 'quiet' | 'stall') => boolean
}

export interface IdleWatch {
  /** Starts to poll; nothing if it does already. */
  start(): void
  stop(): void
  /** A call or an answer has just passed. */
  arrived(): void
  readonly lastArrival: number
}

const POLL_MS = 8
const QUIET_MS = 25
/**
 * Where the process is shared, a job in the thread pool cannot be told from nothing at all, and on a busy machine its thread
 * may get no CPU for longer than that: 45 of 47,000 replays were answered too early beside six busy processes.
 */
const QUIET_MS_SHARED = 100
const CPU_MICROSECONDS_A_POLL = 500
const PASSIVE = new Set([
  'TTYWrap',
  'Immediate',
  'TickObject',
  'TCPServerWrap',
  'PipeServerWrap',
  'StatWatcher',
  'FSEventWrap',
  'SignalWrap',
  'CloseReq',
])

type Counts = { [kind: string]: number }

/** What the process itself keeps alive, before any agent code is loaded. */
const baseline = countResources()

export function createIdleWatch(options: IdleWatchOptions): IdleWatch {
  const passive: Counts = { ...baseline }
  let timer: NodeJS.Timeout | null = null
  let lastArrival = real.now()
  let quietSince = lastArrival
  let cpu = 0
  let unlistedIsPassive = false
  const quietMs = options.ownsProcess ? QUIET_MS : QUIET_MS_SHARED

  return {
    start: () => {
      if (timer !== null) return
      quietSince = real.now()
      schedule()
    },
    stop: () => {
      if (timer !== null) real.clearTimeout(timer)
      timer = null
    },
    arrived: () => {
      lastArrival = real.now()
    },
    get lastArrival() {
      return lastArrival
    },
  }

  function schedule(): void {
    timer = real.setTimeout(poll, POLL_MS)
    // In a process of its own the empty loop is told by `beforeExit`, which a referenced timer would prevent.
    if (options.ownsProcess) timer.unref()
  }

  function poll(): void {
    timer = null
    const now = real.now()
    if (options.isBusy()) lastArrival = now
    if (options.isBusy() || isActive() || burnedCpu()) quietSince = now
    const why = idleBy(now)
    if (why === 'stall') learnPassive()
    if (why === null || options.onIdle(why)) schedule()
  }

  function idleBy(now: number): 'quiet' | 'stall' | null {
    if (options.isBusy()) return null
    if (now - Math.max(quietSince, lastArrival) >= quietMs) return 'quiet'
    const stalled = now - lastArrival >= options.stallMs && now >= options.horizon() + options.stallMs
    return stalled ? 'stall' : null
  }

  function burnedCpu(): boolean {
    const { user, system } = process.cpuUsage()
    const burned = user + system - cpu > CPU_MICROSECONDS_A_POLL
    cpu = user + system
    return burned
  }

  function isActive(): boolean {
    const counts = countResources()
    // Nothing listed and the loop alive: a job in the thread pool, which is never listed. Or an idle worker, as a stall shows.
    if (options.ownsProcess && !unlistedIsPassive && listed(counts) === 0) return true
    const { due, referenced } = options.timers?.next(lastArrival) ?? {
      due: Number.POSITIVE_INFINITY,
      referenced: 0,
    }
    if (due <= options.horizon()) return true
    const ownPoll = options.ownsProcess ? 0 : 1
    counts.Timeout = Math.max(0, (counts.Timeout ?? 0) - referenced - ownPoll)
    return Object.entries(counts).some(([kind, count]) => !PASSIVE.has(kind) && count > (passive[kind] ?? 0))
  }

  function learnPassive(): void {
    const counts = countResources()
    if (listed(counts) === 0) unlistedIsPassive = true
    for (const [kind, count] of Object.entries(counts)) {
      if (kind !== 'Timeout' && kind !== 'Immediate') passive[kind] = Math.max(passive[kind] ?? 0, count)
    }
  }
}

function listed(counts: Counts): number {
  let sum = -(counts.Immediate ?? 0)
  for (const [kind, count] of Object.entries(counts)) sum += Math.max(0, count - (baseline[kind] ?? 0))
  return sum
}

function countResources(): Counts {
  const counts: Counts = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}
