/**
 * Notes when the agent's timers are due, so that the driver can tell a run that waits for a timer from one that is idle.
 * Time itself is untouched. `AbortSignal.timeout` must be noted too: nothing else shows it, and the event loop empties
 * before it fires.
 */
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { patch, real } from '../patch.ts'

export interface TimerWatch {
  /** The earliest due time that may still bring a call, and how many timers keep the process alive. Milliseconds, real.now. */
  next(lastArrival: number): { readonly due: number; readonly referenced: number }
  undo(): void
}

interface Noted {
  readonly due: number
  /** Milliseconds between firings of an interval; null for a timeout. */
  readonly every: number | null
}

/** A timer that is this much over its time was cancelled in a way we did not see. */
const OVERDUE_MS = 50

export function watchTimers(): TimerWatch {
  const noted = new Map<NodeJS.Timeout, Noted>()
  const signals = new Set<number>()
  const undo = [...patchTimeouts(noted), ...patchClears(noted), ...patchSignals(signals)]
  syncBuiltinESMExports()
  return {
    next: lastArrival => nextDue(noted, signals, lastArrival),
    undo: () => {
      for (const restore of undo.reverse()) restore()
      syncBuiltinESMExports()
    },
  }
}

function nextDue(noted: Map<NodeJS.Timeout, Noted>, signals: Set<number>, lastArrival: number) {
  const now = real.now()
  let due = Number.POSITIVE_INFINITY
  let referenced = 0
  for (const [timer, note] of noted) {
    if (note.every === null && note.due < now - OVERDUE_MS) noted.delete(timer)
    else {
      if (timer.hasRef()) referenced++
      due = Math.min(due, note.every === null ? note.due : nextFiring(note, now, lastArrival))
    }
  }
  for (const signal of signals) {
    if (signal < now - OVERDUE_MS) signals.delete(signal)
    else due = Math.min(due, signal)
  }
  return { due, referenced }
}

/** An interval that fired twice without a call is a heartbeat: it will not bring one. */
function nextFiring(note: Noted, now: number, lastArrival: number): number {
  const every = note.every!
  if (now - lastArrival > 2 * every + 20) return Number.POSITIVE_INFINITY
  return note.due + Math.max(0, Math.floor((now - note.due) / every) + 1) * every
}

type SetTimer = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => NodeJS.Timeout

function patchTimeouts(noted: Map<NodeJS.Timeout, Noted>): (() => void)[] {
  const originalTimeout = globalThis.setTimeout as unknown as SetTimer
  const originalInterval = globalThis.setInterval as unknown as SetTimer
  const setTimeout: SetTimer = (callback, ms, ...args) => {
    // As in Node, a callback that asks is told its timer by `this`.
    const fire = function (this: unknown, ...given: unknown[]): void {
      noted.delete(timer)
      callback.apply(this, given)
    }
    const timer = originalTimeout(typeof callback === 'function' ? fire : callback, ms, ...args)
    noted.set(timer, { due: real.now() + milliseconds(ms), every: null })
    return timer
  }
  const setInterval: SetTimer = (callback, ms, ...args) => {
    const timer = originalInterval(callback, ms, ...args)
    noted.set(timer, { due: real.now() + milliseconds(ms), every: milliseconds(ms) })
    return timer
  }
  const sleep = <T>(ms?: number, value?: T): Promise<T> =>
    new Promise(done => setTimeout(() => done(value as T), ms))
  const sleepUnlessAborted: typeof timersPromises.setTimeout = (ms, value, options) =>
    options?.signal !== undefined || options?.ref === false
      ? originalSleep(ms, value, options)
      : sleep(ms, value as never)
  const originalSleep = timersPromises.setTimeout
  Object.defineProperty(setTimeout, promisify.custom, { value: sleepUnlessAborted })
  return [
    patch(globalThis, 'setTimeout', () => setTimeout as never),
    patch(globalThis, 'setInterval', () => setInterval as never),
    patch(timers, 'setTimeout', () => setTimeout as never),
    patch(timers, 'setInterval', () => setInterval as never),
    patch(timersPromises, 'setTimeout', () => sleepUnlessAborted),
  ]
}

function patchClears(noted: Map<NodeJS.Timeout, Noted>): (() => void)[] {
  const forget = (original: (timer: never) => void) => (timer: never) => {
    noted.delete(timer)
    original(timer)
  }
  return [globalThis, timers].flatMap(place => {
    const target = place as typeof timers
    return [
      patch(target, 'clearTimeout', original => forget(original as never) as never),
      patch(target, 'clearInterval', original => forget(original as never) as never),
    ]
  })
}

function patchSignals(signals: Set<number>): (() => void)[] {
  const note = (original: typeof AbortSignal.timeout) => (ms: number) => {
    signals.add(real.now() + milliseconds(ms))
    return original.call(AbortSignal, ms)
  }
  return [patch(AbortSignal, 'timeout', original => note(original) as never)]
}

/** As Node reads a delay: 1 ms at least. */
function milliseconds(ms: number | undefined): number {
  const value = Number(ms)
  return value >= 1 && value <= 0x7fffffff ? value : 1
}
