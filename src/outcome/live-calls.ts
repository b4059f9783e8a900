/** Each live call with what became of it: the fold of the journal's facts about calls. */
import { largest } from '../json/largest.ts'
import type { DeliveredFact, Fact, MadeFact, Verdict } from '../trace/journal.ts'

export interface LiveOutcome {
  readonly made: MadeFact
  /** Recorded call (from 1) it holds in the end; one that was taken back counts no more. */
  readonly call: number | null
  readonly verdict: Verdict
  /** Recorded call whose answer it was given before the very call came and took it back. */
  readonly lentFrom: number | null
  readonly isExecuted: boolean
  /** A person gave its answer. */
  readonly isEdited: boolean
  readonly isRefused: boolean
}

export interface LiveCalls {
  readonly lives: readonly LiveOutcome[]
  /** Live call that holds each recorded one. */
  readonly byCall: ReadonlyMap<number, LiveOutcome>
  /** Recorded calls that were given up as predecessors, by the live call that they were given up for. */
  readonly givenUp: ReadonlyMap<number, readonly number[]>
}

export function liveCallsOf(facts: readonly Fact[]): LiveCalls {
  const lives = new Map<number, LiveOutcome>()
  const givenUp = new Map<number, number[]>()
  for (const fact of facts) {
    if (fact.kind === 'made') lives.set(fact.live, made(fact))
    else if (fact.kind === 'taken-back')
      amend(fact.fromLive, { call: null, verdict: 'extra', lentFrom: fact.call })
    else if (fact.kind === 'given-back')
      amend(fact.fromLive, { call: null, verdict: 'reordered', isRefused: true })
    else if (fact.kind === 'unanswered') amend(fact.live, { verdict: 'no-result', isRefused: true })
    else if (fact.kind === 'delivered' && isLeftWithNothing(fact)) amend(fact.live, { isRefused: true })
    else if (fact.kind === 'given-up') {
      const given = givenUp.get(fact.forLive)
      if (given === undefined) givenUp.set(fact.forLive, [fact.call])
      else given.push(fact.call)
    }
  }
  const list = [...lives.values()]
  const byCall = new Map(list.filter(live => live.call !== null).map(live => [live.call!, live]))
  return { lives: list, byCall, givenUp }

  function amend(live: number, change: Partial<LiveOutcome>): void {
    const known = lives.get(live)
    if (known !== undefined) lives.set(live, { ...known, ...change })
  }

  /** A borrower whose answer was taken back before it came: what reaches it is a refusal. */
  function isLeftWithNothing({ live, status, error }: DeliveredFact): boolean {
    const known = lives.get(live)
    const wasTakenBack = known?.made.answer === 'lend' && known.call === null
    return wasTakenBack && status === 'error' && error === undefined
  }
}

function made(fact: MadeFact): LiveOutcome {
  const isRefused = fact.answer === 'refuse'
  return {
    made: fact,
    call: fact.call,
    verdict: fact.verdict,
    lentFrom: null,
    isExecuted: fact.answer === 'run',
    isEdited: fact.answer === 'edit',
    isRefused,
  }
}

/** The last recorded call (from 1) that was made before this live one; 0 when there is none. */
export function lastCallBefore({ lives }: LiveCalls, live: LiveOutcome): number {
  const earlier = lives.filter(other => other.made.live < live.made.live)
  return largest(
    0,
    earlier.map(other => other.call ?? 0),
  )
}
