/**
 * Clock and chance of a process that belongs to one run: kept while it is recorded, given again when it is replayed. Of the
 * run it knows what the journal says, and writes what it keeps between those facts.
 */
import { randomBytes } from 'node:crypto'
import { slot } from '../boundary/slot.ts'
import type { Plan } from '../plan/plan.ts'
import { createChanceKeeper } from '../sandbox/chance-keeper.ts'
import { createChanceServer } from '../sandbox/chance-server.ts'
import { patchClock } from '../sandbox/clock.ts'
import { createLabels } from '../sandbox/labels.ts'
import { patchRandom } from '../sandbox/random.ts'
import type { Served } from '../trace/determinism.ts'
import type { Fact } from '../trace/journal.ts'
import { createRunInterval } from './run-interval.ts'

type Write = (fact: Fact) => void

/** Installs it, before the agent is loaded. What the run writes goes through the function that is returned. */
export function watchClockAndChance(plan: Plan, isSeeded: boolean): (write: Write) => Write {
  if (plan.mode === 'record') return keep(plan, isSeeded ? randomBytes(32).toString('hex') : null)
  return plan.served === undefined ? write => write : serve(plan, plan.served)
}

function keep(plan: Plan, seed: string | null): (write: Write) => Write {
  const interval = createRunInterval(plan)
  const keeper = createChanceKeeper(createLabels({ interval: interval.now, isInsideCall }), seed)
  patchClock(keeper.read)
  patchRandom(keeper.chance)
  return write => fact => {
    // Before the fact: what follows the end of a run is no longer part of it.
    const lines = [...keeper.take(), ...marksIn(fact)]
    if (lines.length > 0) write({ kind: 'determinism', lines })
    write(fact)
    if (fact.kind === 'began' && seed !== null) write({ kind: 'seeded', seed })
    interval.noted(fact)
  }

  function marksIn(fact: Fact) {
    if (fact.kind === 'made') return keeper.marks(fact.live, fact.input ?? null)
    return fact.kind === 'settled' && fact.status === 'completed' ? keeper.marks(null, fact.output) : []
  }
}

function serve(plan: Plan, recorded: Served): (write: Write) => Write {
  const interval = createRunInterval(plan)
  const server = createChanceServer(
    recorded,
    createLabels({ interval: interval.now, isInsideCall }),
    interval.now,
  )
  patchClock(server.read)
  patchRandom(server.chance)
  return write => fact => {
    if (fact.kind === 'settled' || fact.kind === 'stalled') write({ kind: 'served', ...server.served() })
    write(fact)
    interval.noted(fact)
  }
}

/** What a call does that runs for real is no part of the agent, and must not see an old time or an old id. */
function isInsideCall(): boolean {
  const context = slot().context.getStore()
  return context !== undefined && context.host.enclosing() !== null
}
