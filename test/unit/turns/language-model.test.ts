import type { LanguageModelV3 } from '@ai-sdk/provider'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { recordTurn } from '../../../src/turns/record-turn.ts'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import type { StepRecord } from '../../../src/turns/step-record.ts'
import { ASKS, ordered, stepsOf, turn } from './steps.ts'

const RUN = [
  { turn: turn('One moment.', [ASKS]), tools: [ordered(2, { order: 'A-1' })] },
  { turn: turn('Order A-1 is placed.') },
]

/** The agent: a tool that must not run for real, and as many steps as the model wants. */
function agent(provider: ReplayProvider, prompt = 'Two, please') {
  const execute = provider.tool('place_order', async (_: { qty: number }): Promise<{ order: string }> => {
    throw new Error('an order was placed for real')
  })
  const inputSchema = jsonSchema<{ qty: number }>({
    type: 'object',
    properties: { qty: { type: 'number' } },
    required: ['qty'],
  })
  return {
    model: provider.languageModel(),
    tools: { place_order: tool({ description: 'Places an order', inputSchema, execute }) },
    prompt,
    stopWhen: stepCountIs(5),
  }
}

/** Keeps what the package asked, as a recorder around a real model would. */
async function recordedWithHashes(): Promise<StepRecord[]> {
  const asked: object[] = []
  const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
  const model: LanguageModelV3 = provider.languageModel()
  const watched: LanguageModelV3 = {
    ...model,
    doGenerate: options => {
      asked.push(structuredClone({ ...options, abortSignal: undefined }))
      return model.doGenerate(options)
    },
  }
  await generateText({ ...agent(provider), model: watched })
  return stepsOf(RUN.map((parts, at) => ({ ...parts, request: { ...asked[at] } })))
}

describe('recorded turns as a model of the ai package', () => {
  it('drive an agent with a tool, whose recorded return is served', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
    const result = await generateText(agent(provider))
    expect(result.text).toBe('Order A-1 is placed.')
    expect(result.finishReason).toBe('stop')
    expect(result.steps.map(step => step.finishReason)).toEqual(['tool-calls', 'stop'])
    expect(result.steps[0]!.toolCalls).toMatchObject([
      { toolCallId: 'c1', toolName: 'place_order', input: { qty: 2 } },
    ])
    expect(result.steps[0]!.toolResults).toMatchObject([
      { toolName: 'place_order', output: { order: 'A-1' } },
    ])
    expect(result.totalUsage).toMatchObject({
      inputTokens: 20,
      outputTokens: 14,
      reasoningTokens: 4,
      cachedInputTokens: 8,
    })
    expect(result.response.modelId).toBe('claude')
    provider.verifyComplete()
  })

  it('stream the same', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
    const result = streamText(agent(provider))
    const texts: string[] = []
    for await (const text of result.textStream) texts.push(text)
    expect(texts).toEqual(['One moment.', 'Order A-1 is placed.'])
    expect((await result.steps)[0]!.toolResults).toMatchObject([{ output: { order: 'A-1' } }])
    expect(await result.totalUsage).toMatchObject({ inputTokens: 20, outputTokens: 14 })
    provider.verifyComplete()
  })

  it('are found by the hash of what the package asked, whole or streamed', async () => {
    const steps = await recordedWithHashes()
    expect(steps.every(step => step.inference!.prompt_hash !== '')).toBe(true)
    const whole = ReplayProvider.fromSteps('r', steps)
    await generateText(agent(whole))
    whole.verifyComplete()
    const streamed = ReplayProvider.fromSteps('r', steps)
    await streamText(agent(streamed)).text
    streamed.verifyComplete()
  })

  it('refuse another prompt once, without a retry, by an error that says where', async () => {
    const provider = ReplayProvider.fromSteps('r', await recordedWithHashes())
    const fault = await generateText(agent(provider, 'Three, please')).catch(error => error)
    expect(fault).toMatchObject({ name: 'TurnReplayError', kind: 'mismatch', superStep: 10, position: 0 })
    expect(provider.remaining).toBe(2)
  })

  it('tell at the end of a tool that was refused, though the package went on', async () => {
    const [first, second] = RUN
    const steps = stepsOf([{ ...first!, tools: [ordered(9, 'another order')] }, second!])
    const provider = ReplayProvider.fromSteps('r', steps)
    expect((await generateText(agent(provider))).text).toBe('Order A-1 is placed.')
    expect(() => provider.verifyComplete()).toThrow(/super-step 10 .*the tool "place_order" was not run/)
  })

  it('give the abort and no turn when the agent has given up', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
    const model: LanguageModelV3 = provider.languageModel()
    const abortSignal = AbortSignal.abort(new Error('enough'))
    await expect(model.doGenerate({ prompt: [], abortSignal })).rejects.toThrow('enough')
    expect(provider.remaining).toBe(2)
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool-calls'],
    ['content_filter', 'content-filter'],
    ['error', 'error'],
    [null, 'other'],
  ] as const)('end with the reason %s as %s', async (finish_reason, expected) => {
    const origin = { provider: 'open_ai', modelId: 'm', modelVersion: '' }
    const [step] = stepsOf([{}])
    const inference = recordTurn(origin, { ...turn(''), finish_reason })
    const provider = ReplayProvider.fromSteps('r', [{ ...step!, inference }])
    const result = await provider.languageModel().doGenerate({})
    expect(result).toMatchObject({ content: [], finishReason: { unified: expected } })
  })
})
