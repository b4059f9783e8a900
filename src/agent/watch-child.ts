/** Sees to the end of a process that the supervisor has started, and of all that this one started: no orphan stays behind. */
import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { real } from '../patch.ts'

/** 'silence': time without a call or an answer. 'whole-run': from the first line of the journal on. */
export type TimeoutOf = 'silence' | 'whole-run'

export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal: string | null
  /** It was ended by its timeout, after so many ms. */
  readonly silentMs: number | null
  readonly interrupted: boolean
}

export interface WatchedChild {
  /** Waits for its end. Rejects when it could not be started. */
  end(journal: string, limit: TimeLimit): Promise<ProcessEnd>
  /** Ends it and all that it started. */
  kill(): void
}

export interface TimeLimit {
  readonly timeoutMs: number
  readonly timeoutOf: TimeoutOf
  /** A person is thinking: that is no silence. */
  readonly isAsking: () => boolean
}

const WATCH_EVERY_MS = 100
/** A run that is timed as a whole has not begun before its first line, but must begin some time. */
const LONGEST_START_MS = 60_000

/** `child` leads a group of its own. */
export function watchChild(child: ChildProcess): WatchedChild {
  const ended = new Promise<{ exitCode: number | null; signal: string | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  // An end nobody waits for yet (the bundling failed first) is no unhandled rejection.
  ended.catch(() => {})
  const stopListening = forwardInterrupt(child)
  return {
    end: async (journal, limit) => {
      const watch = watchTime(child, journal, limit)
      const end = await ended.finally(watch.stop)
      killGroup(child)
      return { ...end, silentMs: watch.silentMs(), interrupted: stopListening() }
    },
    kill: () => {
      killGroup(child)
      stopListening()
    },
  }
}

function watchTime(child: ChildProcess, journal: string, { timeoutMs, timeoutOf, isAsking }: TimeLimit) {
  let size = -1
  let since = real.now()
  let silentMs: number | null = null
  const timer = setInterval(() => {
    const now = sizeOf(journal)
    if (isAsking() || (now !== size && (timeoutOf === 'silence' || size <= 0))) since = real.now()
    size = now
    const limit = timeoutOf === 'whole-run' && size <= 0 ? LONGEST_START_MS : timeoutMs
    if (limit === 0 || real.now() - since < limit) return
    silentMs = Math.round(real.now() - since)
    killGroup(child)
  }, WATCH_EVERY_MS)
  return { stop: () => clearInterval(timer), silentMs: () => silentMs }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1
}

/** Ctrl-C reaches only this process, as the agent has a group of its own. */
function forwardInterrupt(child: ChildProcess): () => boolean {
  let interrupted = false
  const onSignal = (): void => {
    interrupted = true
    killGroup(child)
  }
  process.once('SIGINT', onSignal)
  process.once('SIGTERM', onSignal)
  return () => {
    process.off('SIGINT', onSignal)
    process.off('SIGTERM', onSignal)
    return interrupted
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is empty: everything has ended by itself.
  }
}
