/**
 * Agents made at random, recorded with one set of latencies and replayed with others: unchanged they are matched, and with
 * one input changed they are not. A failure shrinks to a program that can be read.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent, Toolbox } from '../agents/toolbox.ts'
import { pause } from '../agents/toolbox.ts'
import { record, replay } from './in-process.ts'

const isFull = process.env.STEPFORK_PROOF === 'full'

/** A program; calls get a number of their own each, so that no two are equal by chance. */
type Program =
  | { readonly do: 'call' | 'call now' | 'memory' | 'read a stream' | 'work' | 'tick' | 'wait' }
  | { readonly do: 'in turn' | 'at once'; readonly what: readonly Program[] }
  | { readonly do: 'first of'; readonly what: readonly Program[] }
  | { readonly do: 'without waiting'; readonly what: readonly Program[] }

const { program } = fc.letrec<{ program: Program }>(tie => {
  const some = fc.array(tie('program'), { minLength: 1, maxLength: 3 })
  return {
    program: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.record({
        do: fc.constantFrom('call', 'call now', 'memory', 'read a stream', 'work', 'tick', 'wait'),
      }),
      fc.record({ do: fc.constantFrom('in turn', 'at once', 'first of', 'without waiting'), what: some }),
    ),
  }
})
const programs = fc
  .array(program, { minLength: 1, maxLength: 4 })
  .map(what => ({ do: 'in turn', what }) as const)
  .filter(made => !racesLocalWork(made))

/** Local work that races a call, or the end of the run, is decided by milliseconds that no recording holds (docs/matching.md). */
function racesLocalWork(made: Program, isRaced = false): boolean {
  if (!('what' in made)) return isRaced && (made.do === 'work' || made.do === 'wait')
  const races = isRaced || made.do === 'first of' || made.do === 'without waiting'
  return made.what.some(part => racesLocalWork(part, races))
}

describe('an agent made at random', () => {
  it('is matched when it is unchanged', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(1000), async (made, seed) => {
        const recording = await record(agentOf(made), seed)
        const { findings, isHung } = await replay(agentOf(made), recording, seed + 1)
        recording.dispose()
        expect({ findings, isHung }).toEqual({ findings: [], isHung: false })
      }),
      { numRuns: isFull ? 500 : 25, interruptAfterTimeLimit: isFull ? 500_000 : 6000 },
    )
  })

  it('is not matched when one of its inputs is changed', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(1000), async (made, seed) => {
        const recording = await record(agentOf(made), seed)
        const places = recording.facts.flatMap(fact => (fact.kind === 'made' ? [placeOf(fact.input)] : []))
        fc.pre(places.length > 0)
        const changed = agentOf(made, places[seed % places.length])
        const { judgement, isHung } = await replay(changed, recording, seed + 1)
        recording.dispose()
        expect({ verdict: judgement.verdict, isHung }).toEqual({ verdict: 'diverged', isHung: false })
      }),
      { numRuns: isFull ? 300 : 15, interruptAfterTimeLimit: isFull ? 300_000 : 5000 },
    )
  })
})

/** The agent that runs the program; `changed` is the place of the call in the program whose input is another one. */
function agentOf(made: Program, changed = -1): Agent {
  return async tools => {
    const places = numbered(made)
    const inputs = { of: (part: Program) => inputAt(places.get(part)!, changed) }
    return settled(run(made, tools, inputs))
  }
}

interface Inputs {
  of(part: Program): object
}

function placeOf(input: unknown): number {
  return (input as { place: number }).place
}

function inputAt(place: number, changed: number): object {
  return place === changed ? { place, changed: true } : { place }
}

/** Calls are numbered by their place in the program, whatever the order in which they are made. */
function numbered(made: Program, places = new Map<Program, number>()): Map<Program, number> {
  if ('what' in made) for (const part of made.what) numbered(part, places)
  else places.set(made, places.size)
  return places
}

async function run(made: Program, tools: Toolbox, inputs: Inputs): Promise<unknown> {
  switch (made.do) {
    case 'call':
      return tools.call('fetch', inputs.of(made))
    case 'memory':
      return tools.call('memory', inputs.of(made))
    case 'call now':
      return tools.callNow('add', inputs.of(made))
    case 'read a stream':
      return readAll(tools.stream('model', inputs.of(made)))
    case 'work':
      return tools.localWork()
    case 'tick':
      return null
    case 'wait':
      return pause(3)
    case 'in turn':
      return inTurn(made.what, tools, inputs)
    case 'at once':
      return Promise.all(made.what.map(part => run(part, tools, inputs)))
    case 'first of':
      return Promise.race(made.what.map(part => run(part, tools, inputs)))
    case 'without waiting':
      void settled(inTurn(made.what, tools, inputs))
      return null
  }
}

async function inTurn(what: readonly Program[], tools: Toolbox, inputs: Inputs): Promise<unknown[]> {
  const results: unknown[] = []
  for (const part of what) results.push((await run(part, tools, inputs)) ?? null)
  return results
}

async function readAll(stream: AsyncGenerator<number>): Promise<number[]> {
  const chunks: number[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** A refusal that nobody waits for must not end the process of the tests. */
function settled(result: Promise<unknown>): Promise<unknown> {
  return result.catch((error: Error) => error.name)
}
