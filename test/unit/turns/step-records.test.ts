import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../src/json/value.ts'
import { parseInferenceRecord, parseStepRecord } from '../../../src/turns/read-record.ts'
import { recordToolCall, recordTurn } from '../../../src/turns/record-turn.ts'
import type { StepRecord } from '../../../src/turns/step-record.ts'
import { type Turn, turnFromRecord } from '../../../src/turns/turn.ts'
import { formatInferenceRecord, formatStepRecord } from '../../../src/turns/write-record.ts'

const count = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const text = fc.string({ unit: 'binary' })
const value = fc.jsonValue() as fc.Arbitrary<Json>

const turn: fc.Arbitrary<Turn> = fc.record({
  text,
  usage: fc.record({
    input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    cached_tokens: count,
  }),
  finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'error', null),
  tool_calls: fc.array(fc.record({ id: text, name: text, arguments_raw: text }), { maxLength: 3 }),
})

const origin = { provider: 'anthropic', modelId: 'claude', modelVersion: '1' }

const step: fc.Arbitrary<StepRecord> = fc.record({
  key: fc.record({ workflow_id: text, run_id: text, super_step: fc.bigInt(0n, 2n ** 64n - 1n) }),
  inference: fc.option(turn.map(said => recordTurn(origin, said))),
  tool_calls: fc.array(
    fc.tuple(text, value, fc.boolean()).map(([tool, args, isSideEffecting]) => {
      return recordToolCall({ tool, args, isSideEffecting }, args)
    }),
    { maxLength: 3 },
  ),
  state_snapshot: fc.dictionary(text, value) as fc.Arbitrary<JsonObject>,
})

describe('what is recorded comes back', () => {
  it('a turn as the same turn, through its text', () => {
    const law = fc.property(turn, said => {
      const record = recordTurn(origin, said)
      expect(turnFromRecord(record)).toEqual(said)
      expect(turnFromRecord(parseInferenceRecord(formatInferenceRecord(record)))).toEqual(said)
    })
    fc.assert(law)
  })

  it('a step as the same step, its text byte for byte', () => {
    const law = fc.property(step, record => {
      const written = formatStepRecord(record)
      expect(written).not.toContain('\n')
      const read = parseStepRecord(written)
      expect(BigInt(read.key.super_step)).toBe(record.key.super_step)
      expect(formatStepRecord(read)).toBe(written)
      expect({ ...read, key: record.key }).toEqual(record)
    })
    fc.assert(law)
  })

  it('numbers in the spelling that they had, whole doubles included', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc.integer().map(n => `${n}.0`),
      fc.constantFrom('1e3', '-0', '1E-7', '100000000000000000000', '-9223372036854775809'),
    )
    /** An integer beyond 64 bits, and -0, count as doubles. */
    const isDouble = (spelling: string): boolean => /[.eE]|^-0$|^-?\d{19,}/.test(spelling)
    const law = fc.property(fc.array(number), numbers => {
      const text = `{"key":{"workflow_id":"w","run_id":"r","super_step":1},"state_snapshot":{"n":[${numbers}]}}`
      const once = formatStepRecord(parseStepRecord(text))
      expect(formatStepRecord(parseStepRecord(once))).toBe(once)
      const spellings = /\{"n":\[(.*)\]\}\}$/.exec(once)![1]!
      const written = spellings === '' ? [] : spellings.split(',')
      expect(written.map(Number)).toEqual(numbers.map(Number))
      expect(written.map(isDouble)).toEqual(numbers.map(isDouble))
    })
    fc.assert(law)
  })
})

describe('a spelling that JavaScript loses', () => {
  const read = () =>
    parseStepRecord(
      '{"key":{"workflow_id":"w","run_id":"r","super_step":1},"tool_calls":[{"tool":"t","args_hash":"","ret":1.0,"is_side_effecting":false}],"state_snapshot":{"n":2.0}}',
    )

  it('survives a change elsewhere in the record', () => {
    const { key, tool_calls, state_snapshot } = read()
    const moved = { key: { ...key, super_step: 2 }, inference: null, tool_calls, state_snapshot }
    expect(formatStepRecord(moved)).toContain('"super_step":2')
    expect(formatStepRecord(moved)).toContain('"ret":1.0')
    expect(formatStepRecord(moved)).toContain('{"n":2.0}')
  })

  it('gives way to a change of the value itself', () => {
    const record = read()
    ;(record.state_snapshot as { n: number }).n = 3
    ;(record.tool_calls[0] as { ret: Json }).ret = [4]
    expect(formatStepRecord(record)).toContain('"ret":[4]')
    expect(formatStepRecord(record)).toContain('{"n":3}')
  })
})

describe('a record that is none', () => {
  it.each([
    ['{"key":{"workflow_id":"w","run_id":"r"}}', 'the record is not valid at /key: "super_step" is missing'],
    [
      '{"key":{"workflow_id":"w","run_id":"r","super_step":1.0}}',
      'the record is not valid at /key/super_step: 1.0 is no whole number from 0 to 18446744073709551615',
    ],
    [
      '{"key":{"workflow_id":"w","run_id":"r","super_step":1},"tool_calls":[{"tool":"t","args_hash":"","ret":{"a~/":"\\ud800"},"is_side_effecting":true}]}',
      'the record is not valid at /tool_calls/0/ret: a text holds half of a surrogate pair: "\\ud800"',
    ],
    [
      '{"key":{"workflow_id":"w","workflow_id":"w","run_id":"r","super_step":1}}',
      'the record is not valid at /key: "workflow_id" is there twice',
    ],
    ['[1,2,3,4,5]', 'the record is not valid: a list of 5 is no record, which has 4 members'],
    ['"text"', 'the record is not valid: "text" is no object'],
    [
      '{"key"',
      'the record cannot be read: it is not JSON: expected ":" after the name, but it ends at offset 6',
    ],
    [
      `{"key":${'['.repeat(2000)}`,
      'the record cannot be read: it is nested deeper than 1000 levels (at offset 1006)',
    ],
  ])('is refused by a sentence with the place: %.60s', (text, message) => {
    expect(() => parseStepRecord(text)).toThrow(
      expect.objectContaining({ code: 'STEP_RECORD_INVALID', message }),
    )
  })

  it('is refused when it is written: a value without JSON form', () => {
    const key = { workflow_id: 'w', run_id: 'r', super_step: 1 }
    const holds: { [name: string]: unknown } = {}
    holds.itself = holds
    for (const state_snapshot of [holds, { f: () => 1 }, { n: Number.POSITIVE_INFINITY }]) {
      const record = { key, inference: null, tool_calls: [], state_snapshot } as unknown as StepRecord
      expect(() => formatStepRecord(record)).toThrow(expect.objectContaining({ code: 'STEP_RECORD_INVALID' }))
    }
  })

  it('may hold names that JavaScript has its own ideas about', () => {
    const text =
      '{"key":{"workflow_id":"w","run_id":"r","super_step":1},"inference":null,"tool_calls":[],"state_snapshot":{"__proto__":{"x":1},"constructor":2}}'
    const record = parseStepRecord(text)
    expect(({} as { x?: number }).x).toBeUndefined()
    expect(formatStepRecord(record)).toBe(text)
  })
})
