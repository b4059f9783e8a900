/** The promise of the whole: an unchanged agent is matched, whatever its latencies, its local work and its races. */
import { describe, expect, it } from 'vitest'
import { allAgents, beyondTheLimits } from '../agents/all-agents.ts'
import type { Agent } from '../agents/toolbox.ts'
import { type Replayed, record, replay } from './in-process.ts'

const isFull = process.env.STEPFORK_PROOF === 'full'
/** Of every agent, and of every recording. `full` takes hours; `ci` is what CI has the time for. */
const [RECORDINGS, REPLAYS] = isFull ? [100, 10] : process.env.STEPFORK_PROOF === 'ci' ? [10, 5] : [2, 2]

describe('an unchanged agent is matched', () => {
  for (const [at, [name, agent]] of Object.entries(allAgents).entries()) {
    if (beyondTheLimits.includes(name)) continue
    it(`${name}: ${RECORDINGS} recordings, each replayed ${REPLAYS} times`, {
      timeout: 600_000,
    }, async () => {
      expect(await failures(agent, at)).toEqual([])
    })
  }
})

describe.runIf(isFull)('an agent that no recording can pin down ends all the same', () => {
  for (const name of beyondTheLimits) {
    it(name, { timeout: 600_000 }, async () => {
      const failed = await failures(allAgents[name]!, 0)
      process.stderr.write(`${name}: ${failed.length} of ${RECORDINGS * REPLAYS} replays red\n`)
      expect(failed.filter(text => text.includes('hung'))).toEqual([])
    })
  }
})

async function failures(agent: Agent, at: number): Promise<string[]> {
  const failed: string[] = []
  for (let seed = 1; seed <= RECORDINGS; seed++) {
    const recording = await record(agent, seed * 1000 + at)
    for (let times = 1; times <= REPLAYS; times++) {
      const fault = faultOf(await replay(agent, recording, seed * 7919 + times))
      if (fault !== '') failed.push(`recording ${seed}, replay ${times}: ${fault}`)
    }
    recording.dispose()
  }
  return failed
}

function faultOf({ findings, released, isHung }: Replayed): string {
  const idle = released === 0 ? [] : [`${released} answers only when idle`]
  return [...findings, ...idle, ...(isHung ? ['hung'] : [])].join(', ')
}
