import { describe, expect, it } from 'vitest'
import { type CassettePlanOptions, planOfCassette } from '../../../src/cassette/plan-of-cassette.ts'
import { toCassette } from '../../../src/cassette/read-cassette.ts'
import type { Slice } from '../../../src/trace/bundle.ts'

const CASSETTE = toCassette({
  task: 'tïdes?',
  world: [
    {
      tool: 'search',
      match: { exact: { q: 'ø', api_key: 'sk-1' } },
      response: { token: 'kept' },
      order_hint: 9,
    },
    { tool: 'pay', match: { any: true }, response: null, error: 'declined' },
  ],
})
const OPTIONS: CassettePlanOptions = { mode: 'frozen', live: [], folder: '/runs/1', name: 'tides' }

describe('a cassette as a plan', () => {
  const { plan, lines } = planOfCassette(CASSETTE, OPTIONS)
  const lineAt = ({ offset, length }: Slice): unknown =>
    JSON.parse(
      Buffer.from(lines)
        .subarray(offset, offset + length)
        .toString(),
    )

  it('has its entries in the order in which a world prefers them', () => {
    expect(plan.calls.map(({ number, identity }) => [number, identity])).toEqual([
      [1, 'tool pay'],
      [2, 'tool search'],
    ])
    expect(plan).toMatchObject({ order: 'any', end: null, mode: 'frozen' })
  })

  it('points at lines that hold task, arguments and answers, in bytes', () => {
    expect(lineAt(plan.input!)).toEqual({ input: 'tïdes?' })
    expect(lineAt(plan.calls[1]!.outcome!)).toEqual({ output: { token: 'kept' } })
  })

  it('redacts the arguments, as live ones are before they are compared, and no answer', () => {
    const redacted = { q: 'ø', api_key: '[REDACTED]' }
    expect(lineAt(plan.calls[1]!.request)).toEqual({ input: redacted })
    expect(plan.calls[1]!.match).toEqual({ kind: 'exact', args: redacted })
  })

  it('keeps a recorded failure', () => {
    expect(plan.calls[0]!.error).toEqual({ name: 'Error', message: 'declined' })
  })

  it('refuses every call in mode forbidden, and runs what was named', () => {
    const treatments = (options: Partial<CassettePlanOptions>): readonly string[] =>
      planOfCassette(CASSETTE, { ...OPTIONS, ...options }).plan.calls.map(({ treatment }) => treatment)
    expect(treatments({ mode: 'forbidden' })).toEqual(['refuse', 'refuse'])
    expect(treatments({ mode: 'hybrid', live: ['pay'] })).toEqual(['run', 'serve'])
  })
})
