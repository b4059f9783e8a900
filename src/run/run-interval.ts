/** Where a run stands, told by its facts: the number of the last delivery, 0 before the first. */
import type { Plan } from '../plan/plan.ts'
import type { Fact } from '../trace/journal.ts'

export interface RunInterval {
  noted(fact: Fact): void
  now(): number
}

export function createDeliveryCount(): RunInterval {
  let now = 0
  return {
    noted: fact => {
      if (fact.kind === 'delivered') now++
    },
    now: () => now,
  }
}

/** In a replay the number of the recorded delivery, so that a call more or less shifts nothing. */
export function createRecordedInterval(plan: Plan): RunInterval {
  let now = 0
  const answered = new Map<number, { readonly call: number; parts: number }>()
  return { noted, now: () => now }

  function noted(fact: Fact): void {
    if (fact.kind === 'made' && fact.call !== null) answered.set(fact.live, { call: fact.call, parts: 0 })
    else if (fact.kind === 'taken-back' || fact.kind === 'given-back') answered.delete(fact.fromLive)
    else if (fact.kind === 'delivered') {
      const answer = answered.get(fact.live)
      if (answer === undefined) return
      const { parts } = plan.calls[answer.call - 1]!
      const index = fact.part === 'end' ? parts.at(-1) : parts[answer.parts++]
      // What an idle run was given out of its order does not turn the run back.
      if (index !== undefined) now = Math.max(now, index + 1)
    }
  }
}
