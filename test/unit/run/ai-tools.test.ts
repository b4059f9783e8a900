import { generateText, stepCountIs, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { record, traceTools } from '../../../src/index.ts'
import { replay } from '../../../src/testing.ts'
import { freshPath } from './desk.ts'

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

const usage: Generated['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that asks for the weather of a city and then says what it got. */
const model = (city: string): MockLanguageModelV3 =>
  new MockLanguageModelV3({
    doGenerate: async ({ prompt }): Promise<Generated> => {
      const last = prompt.at(-1)!
      return last.role === 'tool'
        ? {
            content: [{ type: 'text', text: JSON.stringify(last.content) }],
            finishReason: { unified: 'stop', raw: 'stop' },
            usage,
            warnings: [],
          }
        : {
            content: [
              { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: JSON.stringify({ city }) },
            ],
            finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
            usage,
            warnings: [],
          }
    },
  })

const asked: string[] = []

const tools = traceTools({
  weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      asked.push(city)
      return { city, degrees: 24 }
    },
  }),
})

const agent =
  (city: string) =>
  async (prompt: string): Promise<string> =>
    (await generateText({ model: model(city), tools, prompt, stopWhen: stepCountIs(3) })).text

describe('real tools of the ai package', () => {
  it('are recorded through generateText, and answered from the recording in a replay', async () => {
    const path = freshPath()
    const text = await record({ agent: 'weather', output: path, input: 'how is it?' }, agent('Lisbon'))
    expect(text).toMatch(/"degrees":24/)
    expect(asked.splice(0)).toEqual(['Lisbon'])
    const outcome = await replay(path, { agent: agent('Lisbon') })
    outcome.assertMatched()
    expect(outcome.totals).toMatchObject({ recorded: 1, matched: 1 })
    expect(asked).toEqual([])
  })

  it('show what the model asked for otherwise, though ai catches what a tool throws', async () => {
    const path = freshPath()
    await record({ agent: 'weather', output: path, input: 'how is it?' }, agent('Lisbon'))
    asked.length = 0
    const outcome = await replay(path, { agent: agent('Oslo') })
    expect(outcome.divergences[0]).toMatchObject({
      kind: 'changed-input',
      label: 'weather',
      differences: [{ path: '/city', recorded: 'Lisbon', actual: 'Oslo' }],
    })
    expect(asked).toEqual([])
  })
})
