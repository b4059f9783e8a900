/**
 * Clock and chance of a process that belongs to one run: kept while it is recorded, given again when it is replayed, and both
 * when the run that a replay results in is kept. Of the run it knows what the journal says, and writes between those facts.
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
import { createDeliveryCount, createRecordedInterval } from './run-interval.ts'

export interface ChanceOptions {
  readonly plan: Plan
  /** Wanted for a recording: of this run, or (`--save`) of the one that a replay results in. */
  readonly isKept: boolean
  /** Random bytes come from a seed, which is kept. */
  readonly isSeeded: boolean
}

type Write = (fact: Fact) => void
type Through = (write: Write) => Write

/**
 * Installs it, before the agent is loaded. What the run writes goes through the function that is returned. What is installed
 * later asks what is there: the keeper sees what the server gives.
 */
export function watchClockAndChance({ plan, isKept, isSeeded }: ChanceOptions): Through {
  const served: Through = plan.served === undefined ? write => write : serve(plan, plan.served)
  const kept: Through = isKept ? keep(isSeeded ? randomBytes(32).toString('hex') : null) : write => write
  return write => kept(served(write))
}

function keep(seed: string | null): Through {
  const interval = createDeliveryCount()
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

function serve(plan: Plan, recorded: Served): Through {
  const interval = createRecordedInterval(plan)
  const server = createChanceServer(recorded, createLabels({ interval: interval.now, isInsideCall }))
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
