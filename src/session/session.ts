/**
 * The replay as a state machine (docs/matching.md): one log of calls and deliveries; a live call takes a recorded one, and the
 * deliveries are handed out in recorded order, each as soon as the calls recorded before it have been made. No clock, no
 * await, no global: the driver says when a turn begins and when the run is idle.
 */
import { labelOf } from '../plan/identity.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { Verdict } from '../trace/journal.ts'
import { createHanding, refusalFor } from './handing.ts'
import { createLedger } from './ledger.ts'
import {
  type Answer,
  createLiveCall,
  type Executed,
  type Handout,
  type LiveCall,
  type LiveRequest,
  run,
  type SessionFact,
} from './live-call.ts'
import { createPlacing } from './placing.ts'
import { createTaking } from './taking.ts'
import { refusalOf, unequalTo } from './verdict-of.ts'

export interface SessionOptions {
  /** 'stop': an unequal call consumes nothing, so that the agent may catch the refusal and make the right one. */
  readonly onDivergence: 'continue' | 'stop'
}

export interface Session {
  call(request: LiveRequest): Answer
  /** Whether the recording has this very call and no exact call took it yet; changes nothing. */
  expects(request: LiveRequest): boolean
  /** The next thing to hand out in this turn; null when everything has to wait. */
  turn(): Handout | null
  /** Nothing else can happen: the earliest open call is answered and its missing predecessors are given up. */
  idle(): Handout | null
  /** The call is executed after all, whatever was answered: its result takes the place that the recorded one has. */
  execute(live: LiveCall): void
  /** The answer of a synchronous call, now. */
  answerNow(live: LiveCall): Handout
  /** A part of an executed call's result has arrived. */
  executed(live: LiveCall, result: Executed): void
  /** An executed call had its result before it returned, so nothing is handed out for it. */
  answeredAtOnce(live: LiveCall): void
  /** The agent broke the call off; the rest of its answer is dropped. */
  abandon(live: LiveCall): void
  /** The agent aborted the call, which goes on. */
  abort(live: LiveCall): void
  /** A read of the call's stream is pending. */
  pull(live: LiveCall): void
  /** The first expected call that has not been made; null when all were. */
  firstUnmade(): PlannedCall | null
  /** Calls that were made and still wait for something. */
  openCalls(): readonly LiveCall[]
  /** Answers so far that had to wait for another call or answer. */
  readonly held: number
}

export function createSession(
  plan: Plan,
  emit: (fact: SessionFact) => void,
  options: SessionOptions,
): Session {
  const ledger = createLedger(plan, emit)
  const taking = createTaking(ledger)
  const placing = createPlacing(plan, ledger)
  const handing = createHanding(plan, ledger, placing)
  const { calls, owner } = ledger
  const lives: LiveCall[] = []
  /** Matched calls of which the recording has no end. */
  const endless: LiveCall[] = []
  const stops = options.onDivergence === 'stop'
  const isStrict = plan.mode === 'live' || plan.mode === 'derived'

  return {
    call: request => {
      const live = createLiveCall(request, lives.length + 1)
      lives.push(live)
      if (plan.live === 'all') {
        live.verdict = 'unplanned'
        return run(live)
      }
      if (request.order === 'any' && request.target.kind === 'tool') ledger.freeAll(request.identity)
      const exact = taking.exact(request)
      if (exact !== null) return takeExact(request, live, exact)
      if (runsUnplanned(request)) return runUnequal(request, live)
      if (request.afterEnd) return { kind: 'pending', live, hastyBefore: null }
      const borrowed = stops ? null : taking.borrowed(request)
      if (borrowed !== null) return borrow(request, live, borrowed)
      return refuse(live, taking.recordedTimes(request) > 0 ? 'exhausted' : 'extra')
    },
    expects: request => taking.exact(request) !== null,
    turn: handing.turn,
    idle: () => handing.idle(mayGiveUp) ?? answerEndless() ?? refuseUnanswered(),
    execute,
    answerNow: handing.answerNow,
    executed: handing.executed,
    answeredAtOnce: freePlace,
    abandon: live => {
      live.abandoned = true
      freePlace(live)
    },
    abort: live => {
      live.canAbort = false
    },
    pull: live => {
      live.pulling = true
    },
    firstUnmade: () => calls[ledger.firstUnmade() ?? -1] ?? null,
    openCalls: () => lives.filter(handing.isOpen),
    get held() {
      return handing.held
    },
  }

  function takeExact(request: LiveRequest, live: LiveCall, index: number): Answer {
    const call = calls[index]!
    const refusal = refusalOf(call)
    if (refusal !== null) return refuseTaken(live, index, refusal)
    if (request.order === 'any') ledger.free(index)
    const isJudged = !ledger.isNested(index) && !ledger.isFree(index)
    const early = stops && isJudged ? placing.early(request, call) : null
    if (early !== null) return { ...refuse(live, 'reordered'), ...early }
    const previous = owner[index] ?? null
    own(live, index, 'matched')
    if (previous !== null) takeBack(previous, live, index)
    serveWhatIsPast(live, index)
    return answerTaken(live, call, isJudged ? placing.judge(request, live, call) : null)
  }

  function answerTaken(live: LiveCall, call: PlannedCall, hastyBefore: number | null): Answer {
    if (!ledger.hasEnd(call.number - 1)) endless.push(live)
    if (call.treatment === 'run') return run(live, hastyBefore)
    if (call.parts.length > 0) return { kind: 'serve', live, hastyBefore }
    // A log that was cut off never had the answer; one that ended in order had a call that stayed open.
    if (plan.end === null || live.sync) return refuse(live, 'no-result')
    return { kind: 'pending', live, hastyBefore }
  }

  function borrow(request: LiveRequest, live: LiveCall, index: number): Answer {
    const call = calls[index]!
    const refusal = refusalOf(call)
    if (refusal !== null) return refuseTaken(live, index, refusal)
    // Only what was named runs with another input: in the strict modes a call runs as it was recorded, or not at all.
    if (call.treatment === 'run' && isStrict) return refuseTaken(live, index, unequalTo(call, request))
    if (request.order === 'any') ledger.free(index)
    // An executed call has its own result: there is nothing to take back from it.
    live.lent = call.treatment !== 'run'
    own(live, index, unequalTo(call, request))
    if (call.treatment === 'run') return run(live)
    if (call.parts.length === 0) return refuse(live, live.verdict)
    serveWhatIsPast(live, index)
    return { kind: 'lend', live, hastyBefore: null }
  }

  /** What runs for real has no need of a recorded answer, only of the recorded place, whatever its input. */
  function runUnequal(request: LiveRequest, live: LiveCall): Answer {
    const place = request.afterEnd ? null : taking.borrowed(request)
    const isSame = place !== null && calls[place]!.identity === request.identity
    if (isSame) return borrow(request, live, place)
    live.verdict = 'extra'
    return run(live)
  }

  /** It has its own result then: nothing is lent to it that an exact call could take back. */
  function execute(live: LiveCall): void {
    Object.assign(live, { executes: true, refused: false, lent: false } satisfies Partial<LiveCall>)
  }

  function own(live: LiveCall, index: number, verdict: Verdict): void {
    live.call = index
    live.verdict = verdict
    ledger.take(index, live)
    handing.expect(index)
  }

  /** The answer stood in for another input; now the very call has come, and the borrower is left with nothing. */
  function takeBack(borrower: LiveCall, live: LiveCall, index: number): void {
    emit({ kind: 'taken-back', call: calls[index]!.number, fromLive: borrower.number, byLive: live.number })
    borrower.verdict = 'extra'
    borrower.call = null
    if (!ledger.isSpent(index)) handing.refuseSoon(borrower)
  }

  /** Its place in the log has passed (given up, at least begun for a borrower, recorded inside another), or order does not count. */
  function serveWhatIsPast(live: LiveCall, index: number): void {
    if (live.sync) return
    const isPast = plan.order === 'any' || ledger.isBegun(index)
    if (isPast && calls[index]!.treatment === 'serve') handing.serveSoon(live, index)
    else if (isPast) ledger.dropAll(index)
  }

  /** Where a divergence consumes nothing, a call that can only be answered out of order gives its place back. */
  function mayGiveUp(live: LiveCall, index: number): boolean {
    if (!stops) return true
    emit({ kind: 'given-back', call: calls[index]!.number, fromLive: live.number })
    live.call = null
    ledger.giveBack(index)
    taking.offerAgain(index)
    refuse(live, 'reordered')
    return false
  }

  /** An executed call that stayed open in the recording; now the run has nothing else to wait for. */
  function answerEndless(): Handout | null {
    const live = endless.find(candidate => candidate.ready.length > 0 && !candidate.abandoned)
    return live === undefined ? null : handing.executedNow(live)
  }

  /** The run waits for a call that the recording never answered, or for more of a stream than it has. */
  function refuseUnanswered(): Handout | null {
    const live = endless.find(waitsInVain)
    if (live === undefined) return null
    emit({ kind: 'unanswered', live: live.number })
    live.refused = true
    live.verdict = 'no-result'
    return refusalFor(live)
  }

  function waitsInVain(live: LiveCall): boolean {
    if (!handing.isOpen(live) || live.executes) return false
    return ledger.isSpent(live.call!) && (!live.pulls || live.pulling)
  }

  function freePlace(live: LiveCall): void {
    if (live.call !== null && owner[live.call] === live) ledger.dropAll(live.call)
  }

  function runsUnplanned(request: LiveRequest): boolean {
    return !isStrict && plan.live !== 'all' && plan.live.includes(labelOf(request.target))
  }

  function refuse(live: LiveCall, verdict: Verdict): Answer {
    live.verdict = verdict
    live.refused = true
    live.executes = false
    if (!live.sync) handing.refuseSoon(live)
    return { kind: 'refuse', live, hastyBefore: null }
  }

  function refuseTaken(live: LiveCall, index: number, verdict: Verdict): Answer {
    if (stops) return refuse(live, verdict)
    live.call = index
    ledger.take(index, live)
    ledger.dropAll(index)
    return refuse(live, verdict)
  }
}
