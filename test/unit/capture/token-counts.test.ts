import { describe, expect, it } from 'vitest'
import { costOf, tokenCounts } from '../../../src/capture/token-counts.ts'
import type { Json } from '../../../src/json/value.ts'

const counts = (usage: Json): (number | null)[] => Object.values(tokenCounts({ usage }))

describe('the token counts of an answer', () => {
  it.each([
    ['chat completions', { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }],
    ['responses, Anthropic', { input_tokens: 1, output_tokens: 2 }],
    ['the ai package', { inputTokens: 1, outputTokens: 2, totalTokens: 3 }],
  ])('are found in the usage of %s', (_api, usage) => expect(counts(usage)).toEqual([1, 2, 3]))

  it('are found in answers of Google, Cohere and Ollama', () => {
    const google = { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 9 }
    expect(Object.values(tokenCounts({ usageMetadata: google }))).toEqual([1, 2, 9])
    expect(counts({ billed_units: {}, tokens: { input_tokens: 1, output_tokens: 2 } })).toEqual([1, 2, 3])
    expect(Object.values(tokenCounts({ prompt_eval_count: 1, eval_count: 2 }))).toEqual([1, 2, 3])
  })

  it('are taken as they are said, not added up, when the total is there', () => {
    expect(counts({ input_tokens: 1, output_tokens: 2, total_tokens: 9 })).toEqual([1, 2, 9])
  })

  it.each([[null], ['text'], [{}], [{ usage: null }], [{ usage: 7 }], [[1]]])('are none in %j', output =>
    expect(tokenCounts(output)).toEqual({ prompt_tokens: null, completion_tokens: null, total_tokens: null }),
  )

  it('are none where they are no counts', () => {
    expect(counts({ prompt_tokens: -1, completion_tokens: 2.5, total_tokens: '3' })).toEqual([
      null,
      null,
      null,
    ])
  })

  it('have no total when one side is missing', () => {
    expect(counts({ input_tokens: 5 })).toEqual([5, null, null])
  })
})

describe('the cost of an answer', () => {
  it('is what the answer says', () => expect(costOf({ usage: { cost: 0.00014 } })).toBe(0.00014))

  it.each([
    [null],
    [{}],
    [{ usage: {} }],
    [{ usage: { cost: -1 } }],
    [{ usage: { cost: { total_cost: 1 } } }],
  ])('is not known from %j', output => expect(costOf(output)).toBeNull())
})
