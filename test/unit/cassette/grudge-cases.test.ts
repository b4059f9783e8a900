import { describe, expect, it } from 'vitest'
import { CassettePlayer } from '../../../src/cassette/cassette-player.ts'
import { CassetteWorld } from '../../../src/cassette/cassette-world.ts'
import { canonicalCassette, contentHash, sizeBytes } from '../../../src/cassette/content-hash.ts'
import { parseCassette } from '../../../src/cassette/read-cassette.ts'
import { ShapeError } from '../../../src/cassette/shape-error.ts'
import { ReplayMismatchError } from '../../../src/errors.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import { type GrudgeCase, type GrudgeLine, grudgeLines } from './grudge-lines.ts'

/** What a stricter reader refuses, each said in docs/cassettes.md. */
const REFUSED_HERE: { readonly [id: string]: RegExp } = {
  c034: /order_hint must be a whole number/,
  c069: /NaN|offset/,
}

/** Ways of calling that JavaScript does not have: keywords, attributes with fixed parameters. */
const PYTHON_ONLY = new Set(['w032', 'w033', 'w034', 'w035'])

describe('what grudge answers, a player and a world answer', () => {
  const lines = [...grudgeLines('cases', 'player'), ...grudgeLines('cases', 'world')]
  it.each(lines.filter(({ id }) => !PYTHON_ONLY.has(id)).map(line => [line.id, line.note, line] as const))(
    '%s %s',
    (_, __, line) => {
      const { player, answers } = play(line)
      const expected = { ...line.data, ...line.data.suggested }
      expect(answers).toEqual(expected.answers.filter((answer: GrudgeCase) => answer.error === undefined))
      expect(player.consumedIndices).toEqual(expected.consumed)
      expect(player.remaining).toEqual(
        expected.remaining.map((index: number) => player.cassette.world[index]),
      )
      expect(player.misses).toEqual(expected.misses)
      expect(sizeBytes(player.cassette)).toBe(expected.size_bytes)
      expect(contentHash(player.cassette)).toBe(expected.content_hash)
    },
  )
})

function play(line: GrudgeLine) {
  const options = { strict: line.data.strict }
  const cassette = parseCassette(line.text('cassette'))
  const player =
    line.data.class === 'player'
      ? new CassettePlayer(cassette, options)
      : new CassetteWorld(cassette, options)
  const calls = parseJson(line.text('calls')) as GrudgeCase[]
  const answers = calls
    .filter((_, at) => line.data.answers[at].error === undefined)
    .map(call => answerOf(player, call))
  return { player, answers }
}

/** Indexes of a world stand in cassette order, so the new one is the one that was not there. */
function answerOf(player: CassettePlayer | CassetteWorld, call: GrudgeCase): object {
  const before = new Set(player.consumedIndices)
  const missed = player.misses.length
  try {
    const response = callBy(player, call)
    const index = player.consumedIndices.find(used => !before.has(used))
    return player.misses.length > missed ? { miss: true, response } : { response, index }
  } catch (error) {
    expect(error).toBeInstanceOf(ReplayMismatchError)
    return { miss: true, raised: 'ReplayMismatch' }
  }
}

function callBy(
  player: CassettePlayer | CassetteWorld,
  { tool, args, via, positional }: GrudgeCase,
): unknown {
  if (via === 'bound' && player instanceof CassettePlayer) return player.tool(tool)(args)
  if (via === 'tools') return player.tools[tool]!(args)
  if (via === 'method') return player.tools[tool]!(named(tool, positional ?? [], args))
  return player.call(tool, args)
}

function named(tool: string, positional: readonly unknown[], args: object): object {
  const names: { readonly [tool: string]: readonly string[] } = {
    read_email: ['id'],
    read_file: ['path'],
    send_http: ['url', 'body'],
  }
  return { ...Object.fromEntries(positional.map((value, at) => [names[tool]![at], value])), ...args }
}

describe('what grudge reads, and refuses, is read and refused', () => {
  it.each(grudgeLines('cases', 'cassette').map(line => [line.id, line.note, line] as const))(
    '%s %s',
    (id, _, { data, text }) => {
      const written = data.text ?? text('input')
      if (data.refusal !== undefined || REFUSED_HERE[id] !== undefined) {
        expect(() => parseCassette(written)).toThrow(ShapeError)
        expect(() => parseCassette(written)).toThrow(REFUSED_HERE[id] ?? /./)
        return
      }
      const cassette = parseCassette(written)
      expect(cassette).toEqual(parseJson(text('normalised')))
      expect(canonicalCassette(cassette)).toBe(data.canonical)
      expect(sizeBytes(cassette)).toBe(data.size_bytes)
      expect(contentHash(cassette)).toBe(data.content_hash)
    },
  )
})
