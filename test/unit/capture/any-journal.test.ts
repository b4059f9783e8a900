import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import type { DeliveredFact, Fact, MadeFact } from '../../../src/trace/journal.ts'
import { validateBundle } from '../../../src/validate.ts'
import { planAt, saved } from './captured.ts'
import { type Journal, journal } from './journals.ts'

/** Random numbers steer what happens next, so that a failing journal shrinks. */
const steps = fc.array(fc.tuple(fc.nat(99), fc.nat(99)), { maxLength: 25 })

type Steps = readonly (readonly [kind: number, which: number])[]

/** Calls of all shapes, inside one another, side by side; streams with chunks; failures; calls that are left or stay open. */
function journalOf(choices: Steps): Journal {
  const run = journal()
  const open: { live: number; isStream: boolean }[] = []
  let delivered = 0
  for (const [kind, which] of choices) {
    const at = open.length === 0 ? -1 : which % open.length
    if (kind < 45 || at === -1) begin(kind, which)
    else if (kind < 65 && open[at]!.isStream) chunk(open[at]!.live, which)
    else end(kind, open.splice(at, 1)[0]!)
  }
  return run

  function begin(kind: number, which: number): void {
    const isStream = which % 3 === 0
    const live = run[kind % 4 === 0 ? 'model' : 'call'](`t${which % 3}`, {
      input: { which },
      shape: isStream ? 'stream' : which % 3 === 1 ? 'async' : 'sync',
      parent: open.length > 0 && which % 5 === 0 ? open.at(-1)!.live : null,
      trigger: delivered > 0 && which % 2 === 0 ? (which % delivered) + 1 : which % 4 === 1 ? null : 'start',
    })
    open.push({ live, isStream })
  }

  function chunk(live: number, value: Json): void {
    delivered++
    run.chunk(live, value)
  }

  function end(kind: number, { live }: { live: number }): void {
    if (kind > 92) {
      run.abandons(live)
      return
    }
    delivered++
    if (kind > 85) run.throws(live, { name: 'E', message: 'e', members: { kind } })
    else if (kind > 80) run.returns(live, null, { marks: [{ path: '', is: 'undefined' }] })
    else run.returns(live, { kind })
  }
}

const isMade = (fact: Fact): fact is MadeFact => fact.kind === 'made'
const isDelivered = (fact: Fact): fact is DeliveredFact => fact.kind === 'delivered'

/** What the agent saw, in the words of a plan. */
function seen(facts: readonly Fact[]) {
  return {
    calls: facts.filter(isMade).map(({ target, trigger, parent, shape }) => ({
      target,
      trigger: typeof trigger === 'number' ? trigger - 1 : trigger,
      inside: parent,
      shape,
    })),
    deliveries: facts.filter(isDelivered).map(({ live, part, at }) => ({ call: live - 1, part, at })),
    failed: facts
      .filter(isDelivered)
      .flatMap(({ live, error }) => (error === undefined ? [] : [live]))
      .sort(),
  }
}

function kept({ calls, deliveries }: Plan) {
  return {
    calls: calls.map(({ target, trigger, inside, shape }) => ({ target, trigger, inside, shape })),
    deliveries: deliveries.map(({ call, part, at }) => ({ call, part, at })),
    failed: calls.flatMap(({ number, error }) => (error === null ? [] : [number])).sort(),
  }
}

describe('whatever a run does', () => {
  it('its bundle is valid, and its plan has the same calls, deliveries, triggers and failures', () => {
    fc.assert(
      fc.property(steps, choices => {
        const facts = journalOf(choices).completes()
        const path = saved(facts)
        expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
        expect(kept(planAt(path))).toEqual(seen(facts))
      }),
      { numRuns: 30 },
    )
  })

  it('a journal that is cut off behind any fact is a partial run with the calls made so far', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (choices, cut) => {
        const all = journalOf(choices).completes()
        const facts = all.slice(0, 1 + (cut % (all.length - 1)))
        const path = saved(facts)
        expect(validateBundle(path, { partial: true, verifyIntegrity: true }).issues).toEqual([])
        const plan = planAt(path)
        expect(kept(plan)).toEqual(seen(facts))
        expect(plan.end).toBeNull()
      }),
      { numRuns: 30 },
    )
  })
})
