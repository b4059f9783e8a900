import type { PlannedCall } from './plan.ts'

/**
 * For each call whether it was recorded inside the body of one that does not run now: such a call is not expected, for
 * nothing in this run will make it.
 */
export function nestedCalls(calls: readonly PlannedCall[]): Uint8Array {
  const nested = new Uint8Array(calls.length)
  for (const [index, call] of calls.entries()) {
    if (call.inside === null) continue
    const outer = call.inside - 1
    if (nested[outer] === 1 || calls[outer]!.treatment !== 'run') nested[index] = 1
  }
  return nested
}
