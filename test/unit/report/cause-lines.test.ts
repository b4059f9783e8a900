import { describe, expect, it } from 'vitest'
import type { Divergence, Kind } from '../../../src/outcome/outcome.ts'
import { prettyReporter } from '../../../src/report/pretty.ts'
import { runWith } from './refund-desk.ts'

function report(kind: Kind, change: Partial<Divergence> = {}): string {
  const options = { color: false, width: 80, unicode: true, verbose: false, quiet: false, single: true }
  return prettyReporter(options).run(runWith(kind, change)).replace(/\s+/g, ' ')
}

const SAME_INPUT = 'its input is as recorded, only the order is another'
const AMBIGUOUS = 'two equal calls were open at once before it: the recording cannot tell their answers apart'

describe('the evidence of a cause', () => {
  it.each(['reordered', 'not-awaited'] as const)(
    'of one that is %s says that its input is as recorded',
    kind => {
      expect(report(kind)).toContain(SAME_INPUT)
    },
  )

  it('of another input does not', () => {
    expect(report('changed-input')).not.toContain(SAME_INPUT)
  })

  it.each(['changed-input', 'changed-target', 'extra', 'exhausted', 'missing'] as const)(
    'of one that is %s names equal calls before it whose answers cannot be told apart',
    kind => {
      expect(report(kind, { facts: { ambiguous: true } })).toContain(AMBIGUOUS)
      expect(report(kind, { facts: {} })).not.toContain(AMBIGUOUS)
    },
  )
})
