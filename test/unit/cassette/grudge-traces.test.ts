import { describe, expect, it } from 'vitest'
import { CassettePlayer } from '../../../src/cassette/cassette-player.ts'
import { CassetteWorld } from '../../../src/cassette/cassette-world.ts'
import { contentHash, sizeBytes } from '../../../src/cassette/content-hash.ts'
import { formatTrace, parseTrace } from '../../../src/cassette/read-trace.ts'
import { ShapeError } from '../../../src/cassette/shape-error.ts'
import type { Trace } from '../../../src/cassette/trace.ts'
import { cassetteFromTrace } from '../../../src/cassette/world-from-trace.ts'
import { grudgeLines } from './grudge-lines.ts'

/** Grudge reads NaN as null; said in docs/cassettes.md. */
const REFUSED_HERE = new Set(['t032'])

describe('a trace of grudge', () => {
  it.each(grudgeLines('traces').map(line => [line.id, line.note, line] as const))('%s %s', (id, _, line) => {
    const { data } = line
    if (data.refusal !== undefined || REFUSED_HERE.has(id)) {
      expect(() => parseTrace(data.text)).toThrow(ShapeError)
      return
    }
    const trace = parseTrace(data.text)
    expect(formatTrace(trace)).toBe(data.canonical)
    expect(formatTrace(parseTrace(data.canonical))).toBe(data.canonical)
    const world = cassetteFromTrace(trace)
    expect(world).toEqual({
      ...data.world,
      world: data.world.world.map((entry: object) => ({ order_hint: null, ...entry })),
    })
    expect(sizeBytes(world)).toBe(data.size_bytes)
    expect(contentHash(world)).toBe(data.content_hash)
    if (data.replayed !== undefined) {
      expect(servedBy(new CassettePlayer(world), trace)).toEqual(data.replayed.player)
      expect(servedBy(new CassetteWorld(world), trace)).toEqual(data.replayed.world)
    }
  })
})

function servedBy(player: CassettePlayer | CassetteWorld, trace: Trace): (number | undefined)[] {
  return trace.steps.flatMap(step => {
    if (step.kind !== 'tool_call') return []
    const before = new Set(player.consumedIndices)
    player.call(step.tool, step.args)
    return [player.consumedIndices.find(index => !before.has(index))]
  })
}
