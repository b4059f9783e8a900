/**
 * Bundles with bytes changed at random: loading ends in a bundle or in an error of ours, validating always in a verdict.
 * STEPFORK_FUZZ sets the number of bundles.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStepforkError } from '../../../src/errors.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { readEvents } from '../../../src/store/read-events.ts'
import { HASHED } from '../../../src/trace/event.ts'
import { validateBundle } from '../../../src/validate.ts'
import { copyOf, oneCall, recorded, written } from './bundles.ts'

const RUNS = Number(process.env.STEPFORK_FUZZ ?? 2000)

type Edit = (bytes: Buffer) => Buffer

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
const at = (bytes: Buffer, part: number): number => Math.floor(part * bytes.length)

/** Pieces that are more likely than bytes at random to lead somewhere. */
const pieces = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  'null',
  '-',
  '0',
  '1e999',
  '9'.repeat(40),
]
  .concat([
    '\u2028',
    '\ud83d',
    '__proto__',
    '"__proto__":{},',
    '\\u0000',
    '\ufeff',
    'NaN',
    '[['.repeat(600),
    ' ',
  ])
  .map(piece => Buffer.from(piece))

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(
    ([part, bit]): Edit =>
      bytes => {
        if (bytes.length > 0) bytes[at(bytes, part)]! ^= 1 << bit
        return bytes
      },
  ),
  fc.tuple(place, place).map(
    ([from, to]): Edit =>
      bytes => {
        const [start, end] = [at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to))]
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])
      },
  ),
  place.map(
    (part): Edit =>
      bytes =>
        bytes.subarray(0, at(bytes, part)),
  ),
  fc.tuple(place, fc.constantFrom(...pieces)).map(
    ([part, piece]): Edit =>
      bytes => {
        return Buffer.concat([bytes.subarray(0, at(bytes, part)), piece, bytes.subarray(at(bytes, part))])
      },
  ),
  fc.tuple(place, place).map(
    ([one, other]): Edit =>
      bytes => {
        const lines = bytes.toString('latin1').split('\n')
        const [a, b] = [Math.floor(one * lines.length), Math.floor(other * lines.length)]
        ;[lines[a], lines[b]] = [lines[b]!, lines[a]!]
        return Buffer.from(lines.join('\n'), 'latin1')
      },
  ),
)

const origin = written({
  ...oneCall({ b: [1.5, null] }, { text: 'é' }),
  values: [{ event: 'evt_00000000000000000000000000000002', member: 'output', path: '', is: 'undefined' }],
})

const FILES = ['events.jsonl', 'events.jsonl', 'manifest.json', 'redactions.json', 'integrity.json'] as const

describe('a bundle with changed bytes', () => {
  it('ends in a bundle or in a sentence, never in a crash', { timeout: 60_000 + RUNS * 20 }, () => {
    const copies = [...recorded, origin].map(path => copyOf(path))
    const seen = { loaded: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.nat(copies.length - 1),
        fc.constantFrom(...FILES, 'x-values.jsonl'),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (which, name, edits) => {
          const bundle = name.startsWith('x-') ? copies.at(-1)! : copies[which]!
          const file = join(bundle, name)
          const before = readFileSync(file)
          writeFileSync(file, changed(before, edits))
          try {
            seen[loads(bundle) ? 'loaded' : 'refused']++
          } finally {
            writeFileSync(file, before)
          }
        },
      ),
      { numRuns: RUNS },
    )
    // Both ways must have been walked, or the changes are too wild or too tame to tell anything.
    expect(Math.min(seen.loaded, seen.refused)).toBeGreaterThan(RUNS / 20)
  })
})

function changed(before: Buffer, edits: readonly Edit[]): Buffer {
  let bytes: Buffer = Buffer.from(before)
  for (const edit of edits) bytes = edit(bytes)
  return bytes
}

/** Loads, reads every payload, validates; false when one of our errors says that it cannot be loaded. */
function loads(path: string): boolean {
  const { exitCode, issues } = validateBundle(path, { verifyIntegrity: true })
  try {
    const { events } = readBundle(path)
    const payloads = openPayloads(path)
    for (const event of events) {
      const { input, output } = HASHED[event.type]
      if (input !== undefined) payloads.rawField(event.line, input)
      if (output !== undefined) payloads.field(event.line, output)
    }
    payloads.close()
    readEvents(path)
    return true
  } catch (error) {
    if (!isStepforkError(error)) throw error
    expect(error.message).toMatch(/\w/)
    expect([exitCode, issues.length > 0]).toEqual([2, true])
    return false
  }
}
