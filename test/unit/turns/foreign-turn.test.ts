import type { LanguageModelV3Content } from '@ai-sdk/provider'
import {
  generateText,
  jsonSchema,
  type LanguageModelMiddleware,
  stepCountIs,
  tool,
  wrapLanguageModel,
} from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InMemoryStepRecordStore } from '../../../src/store/memory-step-store.ts'
import { turnFromCompletion, turnFromModelResult } from '../../../src/turns/foreign-turn.ts'
import { recordToolCall, recordTurn } from '../../../src/turns/record-turn.ts'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import type { ToolCallRecord } from '../../../src/turns/step-record.ts'
import type { Turn } from '../../../src/turns/turn.ts'
import { stepsOf } from './steps.ts'

const count = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const turn: fc.Arbitrary<Turn> = fc.record({
  text: fc.string(),
  usage: fc.record({
    input_tokens: count,
    output_tokens: count,
    reasoning_tokens: count,
    cached_tokens: count,
  }),
  finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter', 'error'),
  tool_calls: fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments_raw: fc.string() }), {
    maxLength: 3,
  }),
})

describe('a turn goes out in the shape of an API and comes back the same', () => {
  it('by a chat completion', async () => {
    const law = fc.asyncProperty(turn, async said => {
      const client = ReplayProvider.fromSteps('r', stepsOf([{ turn: said }])).chatClient()
      expect(turnFromCompletion(await client.chat.completions.create({ model: 'm', messages: [] }))).toEqual(
        said,
      )
    })
    await fc.assert(law)
  })

  it('by a model of the ai package', async () => {
    const law = fc.asyncProperty(turn, async said => {
      const model = ReplayProvider.fromSteps('r', stepsOf([{ turn: said }])).languageModel()
      expect(turnFromModelResult(await model.doGenerate({}))).toEqual(said)
    })
    await fc.assert(law)
  })
})

describe('what a turn has no place for', () => {
  it('is left out of a chat completion: other choices, calls of custom tools, reasons of old models', () => {
    const message = {
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'x', input: 'y' } }],
    }
    const choices = [{ message, finish_reason: 'function_call' }, { message: { content: 'second' } }]
    expect(turnFromCompletion({ choices })).toEqual({
      text: '',
      usage: { input_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cached_tokens: 0 },
      finish_reason: null,
      tool_calls: [],
    })
  })

  it('is left out of a model result: reasoning, and tools that the provider ran', () => {
    const usage = {
      inputTokens: { total: undefined, cacheRead: 3 },
      outputTokens: { total: 1, reasoning: undefined },
    }
    const content: LanguageModelV3Content[] = [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'search', input: '{}', providerExecuted: true },
      { type: 'text', text: 'b' },
    ]
    expect(turnFromModelResult({ content, finishReason: { unified: 'other' }, usage })).toEqual({
      text: 'ab',
      usage: { input_tokens: 0, output_tokens: 1, reasoning_tokens: 0, cached_tokens: 3 },
      finish_reason: null,
      tool_calls: [],
    })
  })
})

describe('a real agent, recorded and replayed', () => {
  const usage = {
    inputTokens: { total: 5, noCache: 5, cacheRead: 0, cacheWrite: undefined },
    outputTokens: { total: 3, text: 3, reasoning: 0 },
  }
  const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'charge', input: '{"cents":4250}' } as const

  /** Asks for a charge, then tells of it. */
  function scriptedModel(): MockLanguageModelV3 {
    const asks = {
      content: [call],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    } as const
    const tells = {
      content: [{ type: 'text', text: 'Charged.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
    } as const
    const results = [asks, { ...tells, usage, warnings: [] }].map(result => ({
      ...result,
      content: [...result.content],
      warnings: [],
    }))
    return new MockLanguageModelV3({ doGenerate: async () => results.shift()! })
  }

  type Charge = (args: { cents: number }) => Promise<object>

  function agent(model: Parameters<typeof generateText>[0]['model'], execute: Charge, amount: string) {
    const inputSchema = jsonSchema<{ cents: number }>({
      type: 'object',
      properties: { cents: { type: 'number' } },
    })
    const tools = { charge: tool({ inputSchema, execute: args => execute(args) }) }
    return generateText({
      model,
      tools,
      prompt: `Charge ${amount}`,
      temperature: 0,
      stopWhen: stepCountIs(4),
    })
  }

  it('charges the card once, and never again', async () => {
    const store = new InMemoryStepRecordStore()
    let charged = 0
    const charges: ToolCallRecord[] = []
    const middleware: LanguageModelMiddleware = {
      specificationVersion: 'v3',
      wrapGenerate: async ({ doGenerate, params }) => {
        const result = await doGenerate()
        const origin = { provider: 'open_ai', modelId: 'mock', modelVersion: '', request: { ...params } }
        await store.saveRecord({
          key: { workflow_id: 'shop', run_id: 'night', super_step: store.size },
          inference: recordTurn(origin, turnFromModelResult(result)),
          tool_calls: [],
          state_snapshot: {},
        })
        return result
      },
    }
    const recording = await agent(
      wrapLanguageModel({ model: scriptedModel(), middleware }),
      async args => {
        charged++
        const receipt = { receipt: 'R-1', ...args }
        charges.push(recordToolCall({ tool: 'charge', args, isSideEffecting: true }, receipt))
        const [step] = await store.listRecords('shop', 'night')
        await store.saveRecord({ ...step!, tool_calls: charges })
        return receipt
      },
      '42.50',
    )
    expect(charged).toBe(1)

    const run = { workflowId: 'shop', runId: 'night' }
    const provider = await ReplayProvider.load(store, run)
    const charge = provider.tool('charge', async (): Promise<object> => ({ receipt: `R-${++charged}` }))
    const replayed = await agent(provider.languageModel(), charge, '42.50')
    expect(charged).toBe(1)
    expect(replayed.text).toBe(recording.text)
    expect(replayed.steps.map(step => step.toolResults)).toEqual(
      recording.steps.map(step => step.toolResults),
    )
    provider.verifyComplete()

    const changed = await ReplayProvider.load(store, run)
    const fault = await agent(changed.languageModel(), charge, '43.50').catch(error => error)
    expect(fault.message).toMatch(
      /^run "night", super-step 0 \(position 0 of 2\): the prompt is not as recorded/,
    )
    expect(charged).toBe(1)
  })
})
