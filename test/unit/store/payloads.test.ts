import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { openPayloads } from '../../../src/store/payloads.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepfork-payloads-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The payload as `field` reads it from a file with just this line between two others. */
function read(line: string, member: 'input' | 'output'): unknown {
  const before = '{"id":"é"}\n'
  writeFileSync(join(folder, 'events.jsonl'), `${before}${line}\n{}\n`)
  const payloads = openPayloads(folder)
  try {
    return payloads.field({ offset: Buffer.byteLength(before), length: Buffer.byteLength(line) }, member)
  } finally {
    payloads.close()
  }
}

describe('a payload is the member of its line', () => {
  const scalar = fc.oneof(
    fc.integer(),
    fc.string(),
    fc.constantFrom(null, true, 'input', '"input":', '"type":"tool_result"'),
  )
  const name = fc.constantFrom('id', 'type', 'input', 'output', 'x', '__proto__', '"input":1}')
  const value = fc.letrec(tie => ({
    any: fc.oneof({ depthSize: 'small' }, scalar, fc.array(tie('any'), { maxLength: 3 }), tie('object')),
    object: fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }).map(textOfMembers),
  }))

  it('wherever it stands and whatever is nested in it or beside it', () => {
    const line = fc.array(fc.tuple(name, value.any), { maxLength: 5 }).map(textOfMembers)
    fc.assert(
      fc.property(line, fc.constantFrom('input', 'output'), ({ text }, member) => {
        const whole = JSON.parse(text) as { readonly [name: string]: unknown }
        expect(read(text, member)).toEqual(whole[member] ?? null)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['last, as most events have it', '{"type":"tool_result","name":"a","output":{"a":[1]}}', { a: [1] }],
    ['in the middle', '{"type":"llm_response","output":[1],"cost_usd":null}', [1]],
    ['absent, though something nested has its name', '{"type":"tool_result","x":{"output":5}}', null],
    ['given twice: the later one', '{"type":"tool_result","output":1,"output":2}', 2],
    ['null', '{"type":"tool_result","output":null}', null],
    ['spaced out', '{ "type" : "tool_result" , "output" : 7 }', 7],
  ])('%s', (_where, line, output) => {
    expect(read(line, 'output')).toEqual(output)
  })
})

/** An object as text, duplicates and all, which no JavaScript object could hold. */
interface Text {
  readonly text: string
}

function textOfMembers(members: readonly (readonly [string, unknown])[]): Text {
  return { text: `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`).join(',')}}` }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  return typeof value === 'object' && value !== null ? (value as Text).text : JSON.stringify(value)
}
