import type { Ledger } from './ledger.ts'

/** How many answers had to wait for another call or another answer: a turn went by that could not bring them. */
export interface HeldCount {
  readonly count: number
  /** The call has an answer that may go out now. */
  expect(call: number): void
  /** A turn went by, and handed something out in its place to this call; null: to none. */
  turned(call: number | null): void
}

export function createHeldCount(ledger: Ledger): HeldCount {
  /** Calls that no turn has gone by for: each is looked at once. */
  let fresh: number[] = []
  let count = 0
  return {
    get count() {
      return count
    },
    expect: call => void fresh.push(call),
    turned: call => {
      if (fresh.length === 0) return
      count += fresh.filter(other => other !== call && isWaiting(other)).length
      fresh = []
    },
  }

  /** What has no place in the log, as it is past or its order does not count, waits for nothing but its turn. */
  function isWaiting(call: number): boolean {
    return ledger.owner[call] !== null && ledger.nextPart(call) !== null
  }
}
