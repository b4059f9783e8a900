/**
 * What has happened to each recorded call and delivery so far, with two pointers that only move forward: `low`, the
 * first delivery that is still to come, and `made`, the first call that is still expected.
 */
import { nestedCalls } from '../plan/nested-calls.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { LiveCall, SessionFact } from './live-call.ts'

export interface Ledger {
  readonly calls: readonly PlannedCall[]
  /** The live call that took (or borrowed) each recorded one. */
  readonly owner: (LiveCall | null)[]
  /** Index of the first delivery not yet handed out or given up. */
  readonly low: number
  /** Index of the first call that is expected and not yet made. */
  readonly made: number
  /** Something was given up or lent, so the first expected call need not be the earliest free one. */
  readonly irregular: boolean
  /** Recorded inside another's body that does not run: it may be taken, is not expected and holds nothing. */
  isNested(call: number): boolean
  isGone(delivery: number): boolean
  /** Its order does not count: it is expected, but not at any time, and holds nothing. */
  isFree(call: number): boolean
  /** From now on the order of this call does not count. */
  free(call: number): void
  /**
   * All calls of a tool: a recording that was made before the agent said so does not know. (A model is asked from many
   * places, so there only the calls that say so are free.)
   */
  freeAll(identity: string): void
  /** Index of the first call that is still expected, those whose order does not count last; null when there is none. */
  firstUnmade(): number | null
  /** Some of the call's answer was handed out or dropped. */
  isBegun(call: number): boolean
  /** Nothing of the call's answer is left to hand out. */
  isSpent(call: number): boolean
  /** The recording has the end of its answer; if not, the call was never answered, or broken off. */
  hasEnd(call: number): boolean
  take(call: number, live: LiveCall): void
  giveBack(call: number): void
  /** The missing predecessor no longer holds anything; when it comes late it is reordered. */
  giveUp(call: number, forLive: LiveCall): void
  /** Marks one delivery, or all that is left of a call, as handed out or dropped. */
  drop(delivery: number): void
  dropAll(call: number): void
  /** The next delivery of the call that is still to come. */
  nextPart(call: number): number | null
}

export function createLedger(plan: Plan, emit: (fact: SessionFact) => void): Ledger {
  const { calls, deliveries } = plan
  const owner: (LiveCall | null)[] = new Array(calls.length).fill(null)
  const gone = new Uint8Array(deliveries.length)
  const givenUp = new Uint8Array(calls.length)
  /** For each call how many of its parts are gone, so far as it was looked at. */
  const nextParts = new Uint32Array(calls.length)
  const nested = nestedCalls(calls)
  const freed = new Set<string>()
  const free = Uint8Array.from(calls, call => (call.order === 'any' ? 1 : 0))
  let low = 0
  let made = 0
  let irregular = false

  const settle = (): void => {
    while (low < deliveries.length && gone[low] === 1) low++
    while (made < calls.length && !isAwaited(made)) made++
  }
  const isAwaited = (call: number): boolean =>
    owner[call] === null && givenUp[call] !== 1 && nested[call] !== 1 && free[call] !== 1
  /** A call without any answer has nothing left. */
  const isGone = (delivery: number | undefined): boolean => delivery === undefined || gone[delivery] === 1
  const dropAll = (call: number): void => {
    for (const part of calls[call]!.parts) gone[part] = 1
    settle()
  }
  const setFree = (call: number): void => {
    free[call] = 1
    dropAll(call)
  }
  for (const [index, call] of calls.entries())
    if (nested[index] === 1 || free[index] === 1) for (const part of call.parts) gone[part] = 1
  settle()

  return {
    calls,
    owner,
    get low() {
      return low
    },
    get made() {
      return made
    },
    get irregular() {
      return irregular
    },
    isNested: call => nested[call] === 1,
    isFree: call => free[call] === 1,
    free: setFree,
    freeAll: identity => {
      if (freed.has(identity)) return
      freed.add(identity)
      for (const [index, call] of calls.entries()) if (call.identity === identity) setFree(index)
    },
    firstUnmade: () => {
      if (made < calls.length) return made
      const left = free.findIndex(
        (isFree, call) => isFree === 1 && owner[call] === null && nested[call] !== 1,
      )
      return left === -1 ? null : left
    },
    isGone: delivery => gone[delivery] === 1,
    hasEnd: call => {
      const last = calls[call]!.parts.at(-1)
      return last !== undefined && deliveries[last]!.part === 'end'
    },
    // The parts of a call go in order, so its first and last tell of all.
    isBegun: call => isGone(calls[call]!.parts[0]),
    isSpent: call => isGone(calls[call]!.parts.at(-1)),
    take: (call, live) => {
      owner[call] = live
      if (live.lent) irregular = true
      settle()
    },
    giveBack: call => {
      owner[call] = null
      irregular = true
      made = Math.min(made, call)
    },
    giveUp: (call, forLive) => {
      givenUp[call] = 1
      irregular = true
      emit({ kind: 'given-up', call: calls[call]!.number, forLive: forLive.number })
      dropAll(call)
    },
    drop: delivery => {
      gone[delivery] = 1
      settle()
    },
    dropAll,
    nextPart: call => {
      const { parts } = calls[call]!
      while (nextParts[call]! < parts.length && gone[parts[nextParts[call]!]!] === 1) nextParts[call]!++
      return parts[nextParts[call]!] ?? null
    },
  }
}
