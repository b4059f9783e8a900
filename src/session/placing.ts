/**
 * Whether a call comes in its place. A call that arrives early is not out of place, it waits; only these are: one made
 * before the delivery that triggered it in the recording, a synchronous one before another synchronous one, and in a
 * strict sequence any but the next. Missing predecessors are then given up: they hold nothing any more.
 */
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { Part } from '../trace/call.ts'
import type { Ledger } from './ledger.ts'
import type { LiveCall, LiveRequest } from './live-call.ts'

export interface Placing {
  /** Number of the open call whose answer should have come first, or null; gives up what the call shows to be missing. */
  judge(request: LiveRequest, live: LiveCall, call: PlannedCall): number | null
  /** Whether the call comes before something that must come first, and the number of the open call if that is it; changes nothing. */
  early(request: LiveRequest, call: PlannedCall): { readonly hastyBefore: number | null } | null
  /** Gives up every predecessor of the call that was not made. */
  giveUpAbsent(live: LiveCall, call: PlannedCall): void
  hasAbsent(call: PlannedCall): boolean
}

export function createPlacing(plan: Plan, ledger: Ledger): Placing {
  const { calls, owner } = ledger
  return {
    judge: (request, live, call) => {
      if (plan.order === 'any') return null
      if (plan.order === 'sequence') while (ledger.made < call.number - 1) ledger.giveUp(ledger.made, live)
      const trigger = hastyTrigger(request, call)
      const hastyBefore = openCallOf(trigger)
      giveUp(live, trigger === null ? overtakenInSync(request, call) : endedBefore(call))
      return hastyBefore
    },
    early: (request, call) => {
      if (plan.order === 'any') return null
      const trigger = hastyTrigger(request, call)
      const isOutOfSequence = plan.order === 'sequence' && ledger.made < call.number - 1
      const isEarly = isOutOfSequence || trigger !== null || overtakenInSync(request, call).length > 0
      return isEarly ? { hastyBefore: openCallOf(trigger) } : null
    },
    giveUpAbsent: (live, call) =>
      giveUp(
        live,
        absentBefore(call, () => true),
      ),
    hasAbsent: call => absentBefore(call, () => true).length > 0,
  }

  /** A call that a timer or I/O triggered, then or now, is never early: caches that are warm this time stay green. */
  function hastyTrigger(request: LiveRequest, call: PlannedCall): number | null {
    if (!request.prompt || typeof call.trigger !== 'number' || ledger.isGone(call.trigger)) return null
    return call.trigger
  }

  /** A synchronous call cannot wait, so it must not come before one that was recorded before it. */
  function overtakenInSync(request: LiveRequest, call: PlannedCall): number[] {
    if (!request.sync || !request.prompt) return []
    return endedBefore(call).filter(other => calls[other]!.shape === 'sync')
  }

  /** Number of the call, already made, whose answer the trigger is. */
  function openCallOf(trigger: number | null): number | null {
    if (trigger === null) return null
    const { call } = plan.deliveries[trigger]!
    return owner[call] === null ? null : calls[call]!.number
  }

  function giveUp(live: LiveCall, absent: readonly number[]): void {
    for (const index of absent) ledger.giveUp(index, live)
  }

  function endedBefore(call: PlannedCall): number[] {
    return absentBefore(call, part => part === 'end')
  }

  /** Calls that were not made though a delivery of theirs was recorded before this call. */
  function absentBefore(call: PlannedCall, counts: (part: Part) => boolean): number[] {
    const absent = new Set<number>()
    for (let delivery = ledger.low; delivery < call.due; delivery++) {
      const { call: index, part } = plan.deliveries[delivery]!
      if (!ledger.isGone(delivery) && owner[index] === null && counts(part)) absent.add(index)
    }
    absent.delete(call.number - 1)
    return [...absent]
  }
}
