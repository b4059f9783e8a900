import { libraryAgents } from './library-agents.ts'
import { localWorkAgents } from './local-work-agents.ts'
import { orchestrationAgents } from './orchestration-agents.ts'
import { raceAgents } from './race-agents.ts'
import { streamAgents } from './stream-agents.ts'
import type { Agent } from './toolbox.ts'

export const allAgents: { readonly [name: string]: Agent } = {
  ...orchestrationAgents,
  ...raceAgents,
  ...streamAgents,
  ...localWorkAgents,
  ...libraryAgents,
}

/** What no recording can tell apart (docs/matching.md): concurrent calls with equal inputs, a race decided by a few ms. */
export const beyondTheLimits: readonly string[] = [
  'equalPolls',
  'equalPollsAfterWork',
  'closeRaceAmongWork',
  'raceAgainstTimers',
  'closeRace',
]
