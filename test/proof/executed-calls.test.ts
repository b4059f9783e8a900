/** Hybrid replays of unchanged agents: some calls run for real, faster or slower than in the recording, and all is matched. */
import { describe, expect, it } from 'vitest'
import { allAgents, beyondTheLimits } from '../agents/all-agents.ts'
import { record, replay } from './in-process.ts'

const isFull = process.env.STEPFORK_PROOF === 'full'
const HANDFUL = [
  'pool',
  'twoStages',
  'raceByDepth',
  'timeOut',
  'callsDuringAStream',
  'synchronousTools',
  'pQueue',
]
const names = isFull ? Object.keys(allAgents).filter(name => !beyondTheLimits.includes(name)) : HANDFUL

describe.each([0.1, 1, 3])('executed calls that take %d times as long as recorded', pace => {
  it.each(names)('%s', { timeout: 300_000 }, async name => {
    const agent = allAgents[name]!
    for (let seed = 1; seed <= (isFull ? 5 : 1); seed++) {
      const recording = await record(agent, seed)
      const labels = recording.facts.flatMap(fact =>
        fact.kind === 'made' && fact.target.kind === 'tool' ? [fact.target.name] : [],
      )
      for (const live of [...new Set(labels)].map(label => [label]).concat([[...new Set(labels)]])) {
        const replayed = await replay(agent, recording, seed, { mode: 'hybrid', live, pace })
        const { findings, isHung, judgement } = replayed
        expect({ seed, live, findings, isHung }).toEqual({ seed, live, findings: [], isHung: false })
        expect(judgement.totals.executed).toBe(labels.filter(label => live.includes(label)).length)
      }
      recording.dispose()
    }
  })
})
