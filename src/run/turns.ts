/**
 * Turns of the event loop, told exactly: two immediates queued together, the first hands something over, the second
 * closes the turn. All that the handed-over value triggers by promises runs between the two; timers and I/O do not.
 */
import { real } from '../patch.ts'

export interface Turns {
  /** What opened the turn that is going on: the run's start, the number of a delivery (from 1), or null outside a turn. */
  window: 'start' | number | null
  /** A turn is to come. */
  readonly isArmed: boolean
  /** Hands over in the next turns, one thing a turn, as long as there is any. */
  arm(): void
  /** Runs the action in a turn of its own. */
  once(action: () => void): void
}

export interface TurnOptions {
  /** Hands over the next thing; false when everything has to wait. */
  readonly handOver: () => boolean
  readonly onNothing: () => void
}

export function createTurns(options: TurnOptions): Turns {
  const turns = { window: null as Turns['window'], isArmed: false, arm, once }
  return turns

  function arm(): void {
    if (turns.isArmed) return
    turns.isArmed = true
    once(() => {
      turns.isArmed = false
      if (options.handOver()) arm()
      else options.onNothing()
    })
  }

  function once(action: () => void): void {
    real.setImmediate(action)
    real.setImmediate(() => {
      turns.window = null
    })
  }
}
