/** What is handed to the agent next: in a turn by place in the log, when the run is idle by giving up what is missing. */
import TinyQueue from 'tinyqueue'
import type { Plan } from '../plan/plan.ts'
import { createFifo } from './fifo.ts'
import { createHeldCount } from './held-count.ts'
import type { Ledger } from './ledger.ts'
import type { Executed, Handout, LiveCall } from './live-call.ts'
import type { Placing } from './placing.ts'

export interface Handing {
  /** A taken call waits for its answer. */
  expect(call: number): void
  /** Refuses the call in a later turn. */
  refuseSoon(live: LiveCall): void
  /** All recorded parts of the call go out in the next turns, whatever their place. */
  serveSoon(live: LiveCall, call: number): void
  turn(): Handout | null
  /** `mayGiveUp` decides whether missing predecessors may be given up for a call. */
  idle(mayGiveUp: (live: LiveCall, call: number) => boolean): Handout | null
  answerNow(live: LiveCall): Handout
  executed(live: LiveCall, result: Executed): void
  /** The live result of a call that has no place left in the log. */
  executedNow(live: LiveCall): Handout | null
  /** The call waits for something: for its answer, for its live result, or for what was never recorded. */
  isOpen(live: LiveCall): boolean
  /** Answers so far that had to wait for another call or answer. */
  readonly held: number
}

export function createHanding(plan: Plan, ledger: Ledger, placing: Placing): Handing {
  const { calls, owner } = ledger
  const overdue = createFifo<Handout>()
  /** Taken calls, the earliest first; entries that have nothing left are dropped when met. */
  const taken = new TinyQueue<number>([])
  const held = createHeldCount(ledger)

  return {
    expect: call => {
      taken.push(call)
      if (calls[call]!.treatment === 'serve') held.expect(call)
    },
    refuseSoon: live => overdue.push(refusalFor(live)),
    serveSoon,
    turn: () => nextOverdue() ?? turnInPlace(),
    idle: mayGiveUp => nextOverdue() ?? release(mayGiveUp),
    answerNow: live => {
      const call = live.call!
      ledger.dropAll(call)
      return { live, part: 'end', source: { from: 'recorded', delivery: calls[call]!.parts.at(-1)! } }
    },
    executed: (live, result) => {
      if (ownsCall(live) && !ledger.isFree(live.call!) && hasPlace(live.call!)) {
        live.ready.push(result)
        if (result.part === 'end') held.expect(live.call!)
      } else overdue.push({ live, part: result.part, source: { from: 'executed', payload: result.payload } })
    },
    executedNow: live => executedPart(live, live.call!),
    isOpen,
    get held() {
      return held.count
    },
  }

  /** A call that stayed open in the recording has its place after everything that is recorded. */
  function hasPlace(call: number): boolean {
    return ledger.nextPart(call) !== null || (plan.end !== null && !ledger.hasEnd(call))
  }

  function serveSoon(live: LiveCall, call: number): void {
    for (const delivery of calls[call]!.parts) overdue.push(recordedPart(live, delivery))
    ledger.dropAll(call)
  }

  function nextOverdue(): Handout | null {
    let next = overdue.shift()
    while (next !== null && isVoid(next)) next = overdue.shift()
    return next
  }

  function turnInPlace(): Handout | null {
    const handout = nextInPlace()
    held.turned(handout?.live.call ?? null)
    return handout
  }

  /** Of a call that is executed after all, what the recording would have given, or a refusal, is no more to be had. */
  function isVoid({ live, source }: Handout): boolean {
    return live.abandoned || (live.executes && source.from !== 'executed')
  }

  function nextInPlace(): Handout | null {
    const delivery = plan.deliveries[ledger.low]
    if (delivery === undefined || ledger.made < delivery.after) return null
    const live = owner[delivery.call] ?? null
    if (live === null) return null
    if (live.executes) return executedPart(live, delivery.call)
    return waitsForRead(live, ledger.low) || waitsForAbort(live, ledger.low) ? null : hand(live, ledger.low)
  }

  function release(mayGiveUp: (live: LiveCall, call: number) => boolean): Handout | null {
    const setAside: number[] = []
    let handout: Handout | null = null
    while (handout === null && taken.length > 0) {
      const call = taken.peek()!
      const live = owner[call] ?? null
      if (live === null || !isOpen(live)) taken.pop()
      else if (!canRelease(live, call)) setAside.push(taken.pop()!)
      else if (placing.hasAbsent(calls[call]!) && !mayGiveUp(live, call)) return nextOverdue()
      else handout = releaseWhole(live, call)
    }
    for (const call of setAside) taken.push(call)
    return handout
  }

  function canRelease(live: LiveCall, call: number): boolean {
    if (live.executes) return live.ready.length > 0 && ledger.nextPart(call) !== null
    const next = ledger.nextPart(call)
    return next !== null && !waitsForRead(live, next)
  }

  /** The rest of the call follows in the next turns, without waiting to be idle again for every chunk. */
  function releaseWhole(live: LiveCall, call: number): Handout | null {
    placing.giveUpAbsent(live, calls[call]!)
    if (live.executes) return executedPart(live, call)
    const first = hand(live, ledger.nextPart(call)!)
    for (const delivery of calls[call]!.parts)
      if (!ledger.isGone(delivery)) overdue.push(recordedPart(live, delivery))
    ledger.dropAll(call)
    return first
  }

  function hand(live: LiveCall, delivery: number): Handout {
    ledger.drop(delivery)
    live.pulling = false
    return recordedPart(live, delivery)
  }

  /** The live result goes out in the place of the recorded one, so that later recorded answers stay behind it. */
  function executedPart(live: LiveCall, call: number): Handout | null {
    const result = live.ready.shift()
    if (result === undefined) return null
    const place = ledger.nextPart(call)
    if (result.part === 'end') ledger.dropAll(call)
    // A chunk more than the recording has goes out in the place of the end, and leaves that to the end.
    else if (place !== null && plan.deliveries[place]!.part !== 'end') ledger.drop(place)
    return { live, part: result.part, source: { from: 'executed', payload: result.payload } }
  }

  function recordedPart(live: LiveCall, delivery: number): Handout {
    return { live, part: plan.deliveries[delivery]!.part, source: { from: 'recorded', delivery } }
  }

  function waitsForRead(live: LiveCall, delivery: number): boolean {
    return live.pulls && plan.deliveries[delivery]!.part !== 'head' && !live.pulling
  }

  /** What came after the agent's abort comes after it again: many look at their signal to tell how a call ended. */
  function waitsForAbort(live: LiveCall, delivery: number): boolean {
    const { abortedAfter, parts } = calls[live.call!]!
    if (!live.canAbort || abortedAfter === undefined) return false
    return delivery >= (parts[abortedAfter] ?? Number.POSITIVE_INFINITY)
  }

  function ownsCall(live: LiveCall): boolean {
    return live.call !== null && owner[live.call] === live
  }

  function isOpen(live: LiveCall): boolean {
    if (live.refused || live.abandoned || !ownsCall(live)) return false
    return !ledger.isSpent(live.call!) || !ledger.hasEnd(live.call!) || live.ready.length > 0
  }
}

export function refusalFor(live: LiveCall): Handout {
  return { live, part: 'end', source: { from: 'refusal' } }
}
