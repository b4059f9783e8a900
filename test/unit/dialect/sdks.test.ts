/** The real SDKs take answers that were made of recorded outputs for answers of their servers. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import Anthropic0 from '@anthropic-ai/sdk-0'
import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents'
import { generateText, jsonSchema, streamText, type ToolSet, tool } from 'ai'
import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import OpenAI6 from 'openai-6'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { answerOf } from '../../../src/dialect/answer-of.ts'
import { failureAnswerOf } from '../../../src/dialect/failure-answer.ts'
import { refusalAnswer } from '../../../src/dialect/refusal-answer.ts'
import { retrySoon } from '../../../src/dialect/retry-soon.ts'
import type { Json } from '../../../src/json/value.ts'
import { fetchThat } from './exchanges.ts'
import { CHAT, EMBEDDINGS, MESSAGE, RESPONSE, SAID } from './outputs.ts'

const apiKey = 'sk-none'
const CHAT_REQUEST = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user' as const, content: 'Where is A-17?' }],
}
const WITH_USAGE = { ...CHAT_REQUEST, stream_options: { include_usage: true } }
const MESSAGE_REQUEST = { model: 'claude-sonnet-5', max_tokens: 100, messages: CHAT_REQUEST.messages }
const RESPONSE_REQUEST = { model: 'gpt-5', input: 'Where is A-17?' }

const served = (output: object) => fetchThat(read => answerOf(read, output as Json))
const refused = () => fetchThat(read => refusalAnswer(read, 'call 2 asks something else'))
const failed = (name: string, message: string) => fetchThat(read => failureAnswerOf(read, { name, message })!)

for (const [version, Client] of [
  ['7', OpenAI],
  ['6', OpenAI6 as unknown as typeof OpenAI],
] as const) {
  const client = (fetch: typeof globalThis.fetch) => new Client({ apiKey, fetch })

  describe(`openai ${version}`, () => {
    it('gives the recorded chat completion', async () => {
      const { fetch, asked } = served(CHAT)
      expect(await client(fetch).chat.completions.create(CHAT_REQUEST)).toEqual(CHAT)
      expect(asked[0]).toEqual({
        kind: 'model',
        target: { kind: 'llm', provider: 'openai', model: 'gpt-4o-mini' },
        dialect: 'openai.chat',
        input: { method: 'chat.completions.create', request: CHAT_REQUEST },
        streams: false,
      })
    })

    it('puts a streamed chat completion together to the recorded one', async () => {
      const stream = client(served(CHAT).fetch).chat.completions.stream(WITH_USAGE)
      const final = await stream.finalChatCompletion()
      expect(JSON.parse(JSON.stringify(final))).toMatchObject(CHAT)
    })

    it('streams the recorded text', async () => {
      let text = ''
      for await (const chunk of await client(served(CHAT).fetch).chat.completions.create({
        ...CHAT_REQUEST,
        stream: true,
      }))
        text += chunk.choices[0]?.delta.content ?? ''
      expect(text).toBe(CHAT.choices[0]!.message.content)
    })

    it('gives the recorded response', async () => {
      const { output_text, ...response } = await client(served(RESPONSE).fetch).responses.create(
        RESPONSE_REQUEST,
      )
      expect(output_text).toBe('It is shipped.')
      expect(response).toMatchObject(RESPONSE)
    })

    it('puts a streamed response together to the recorded one, with all its events on the way', async () => {
      const stream = client(served(RESPONSE).fetch).responses.stream(RESPONSE_REQUEST)
      let text = ''
      stream.on('response.output_text.delta', ({ delta }) => (text += delta))
      expect(await stream.finalResponse()).toMatchObject(RESPONSE)
      expect(text).toBe('It is shipped.')
    })

    it('parses a streamed chat completion as it parses a whole one', async () => {
      const response_format = zodResponseFormat(z.object({ state: z.string() }), 'order')
      const said = { role: 'assistant', content: '{"state":"shipped"}', refusal: null }
      const output = {
        ...CHAT,
        choices: [{ index: 0, message: said, finish_reason: 'stop', logprobs: null }],
      }
      const { chat } = client(served(output).fetch)
      const whole = await chat.completions.parse({ ...CHAT_REQUEST, response_format })
      const streamed = await chat.completions
        .stream({ ...CHAT_REQUEST, response_format })
        .finalChatCompletion()
      expect(whole.choices[0]!.message.parsed).toEqual({ state: 'shipped' })
      expect(streamed.choices[0]!.message.parsed).toEqual({ state: 'shipped' })
    })

    it('gives the recorded embeddings', async () => {
      const { fetch } = served(EMBEDDINGS)
      const got = await client(fetch).embeddings.create({ model: 'e', input: 'a', encoding_format: 'float' })
      expect(got).toEqual(EMBEDDINGS)
    })

    it('throws a refusal at once, with its message, and tries no second time', async () => {
      for (const stream of [false, true]) {
        const { fetch, asked } = refused()
        const error = await client(fetch)
          .chat.completions.create({ ...CHAT_REQUEST, stream })
          .catch(thrown => thrown)
        expect(error).toBeInstanceOf(Client.BadRequestError)
        expect(error.message).toBe('400 call 2 asks something else')
        expect(asked.length).toBe(1)
      }
    })

    it('throws the class of a failure that Python recorded, and tries no second time', async () => {
      const message = `Error code: 429 - {'error': {'message': 'Slow down', 'type': 'requests'}}`
      const { fetch, asked } = failed('RateLimitError', message)
      const error = await client(fetch)
        .chat.completions.create(CHAT_REQUEST)
        .catch(thrown => thrown)
      expect(error).toBeInstanceOf(Client.RateLimitError)
      expect([error.status, error.message]).toEqual([429, '429 Slow down'])
      expect(asked.length).toBe(1)
    })

    it('tries a recorded status again as it did, without waiting', async () => {
      const limited = { name: 'RateLimitError', message: '429 Slow down', members: { status: 429, body: {} } }
      let tries = 0
      const { fetch } = fetchThat(read => {
        if (tries++ > 0) return answerOf(read, CHAT as Json)
        const failure = failureAnswerOf(read, limited)!
        return { ...failure, head: retrySoon(failure.head) }
      })
      const waits = vi.spyOn(globalThis, 'setTimeout')
      expect(await client(fetch).chat.completions.create(CHAT_REQUEST)).toEqual(CHAT)
      // The others are time-outs of requests.
      const short = waits.mock.calls.map(([, wait]) => wait ?? 0).filter(wait => wait < 10_000)
      waits.mockRestore()
      expect([tries, short]).toEqual([2, [1]])
    })

    it('throws an error in the middle of a stream', async () => {
      const { fetch } = failed('APIError', 'the server is tired')
      const stream = await client(fetch).chat.completions.create({ ...CHAT_REQUEST, stream: true })
      const error = await stream[Symbol.asyncIterator]()
        .next()
        .catch(thrown => thrown)
      expect(error).toBeInstanceOf(Client.APIError)
      expect(error.message).toBe('the server is tired')
    })
  })
}

for (const [version, Client] of [
  ['1', Anthropic],
  ['0', Anthropic0 as unknown as typeof Anthropic],
] as const) {
  const client = (fetch: typeof globalThis.fetch) => new Client({ apiKey, fetch })

  describe(`@anthropic-ai/sdk ${version}`, () => {
    it('gives the recorded message', async () => {
      const { fetch, asked } = served(MESSAGE)
      expect(await client(fetch).messages.create(MESSAGE_REQUEST)).toMatchObject(MESSAGE)
      expect(asked[0]).toMatchObject({
        target: { provider: 'anthropic', model: 'claude-sonnet-5' },
        input: { method: 'messages.create', request: MESSAGE_REQUEST },
      })
      expect(asked[0]!.input).not.toHaveProperty('headers')
    })

    it('puts a streamed message together to the recorded one', async () => {
      const final = await client(served(MESSAGE).fetch).messages.stream(MESSAGE_REQUEST).finalMessage()
      expect(JSON.parse(JSON.stringify(final))).toMatchObject(MESSAGE)
    })

    it('throws a refusal at once, with its message, and tries no second time', async () => {
      const { fetch, asked } = refused()
      const error = await client(fetch)
        .messages.create(MESSAGE_REQUEST)
        .catch(thrown => thrown)
      expect(error).toBeInstanceOf(Client.BadRequestError)
      expect(error.message).toContain('call 2 asks something else')
      expect(asked.length).toBe(1)
    })

    it('throws the class of a recorded failure', async () => {
      const { fetch } = failed('OverloadedError', 'Overloaded')
      const error = await client(fetch)
        .messages.create(MESSAGE_REQUEST)
        .catch(thrown => thrown)
      expect(error).toBeInstanceOf(Client.InternalServerError)
      expect(error.error).toEqual({
        type: 'error',
        error: { type: 'overloaded_error', message: 'Overloaded' },
      })
    })

    it('puts a streamed message of the beta API together to the recorded one', async () => {
      const request = { ...MESSAGE_REQUEST, betas: ['b-2'] }
      const final = await client(served(MESSAGE).fetch).beta.messages.stream(request).finalMessage()
      expect(JSON.parse(JSON.stringify(final))).toMatchObject(MESSAGE)
    })

    it('counts the recorded tokens', async () => {
      const { fetch, asked } = served({ input_tokens: 9 })
      const { max_tokens: _, ...request } = MESSAGE_REQUEST
      expect(await client(fetch).messages.countTokens(request)).toEqual({ input_tokens: 9 })
      expect(asked[0]!.input).toEqual({ method: 'messages.count_tokens', request })
    })

    it('says in the input that a beta was asked for', async () => {
      const { fetch, asked } = served(MESSAGE)
      await client(fetch).beta.messages.create({ ...MESSAGE_REQUEST, betas: ['b-2', 'a-1'] })
      expect(asked[0]!.input).toEqual({
        method: 'messages.create',
        request: MESSAGE_REQUEST,
        headers: { 'anthropic-beta': ['a-1', 'b-2'] },
      })
    })
  })
}

describe('ai', () => {
  const lookUp = tool({ inputSchema: jsonSchema<{ order: string }>({ type: 'object' }) })
  const asked = { prompt: 'Where is A-17?', tools: { get_order: lookUp } as unknown as ToolSet }
  const models = (fetch: typeof globalThis.fetch) => ({
    chat: createOpenAI({ apiKey, fetch }).chat('gpt-4o-mini'),
    responses: createOpenAI({ apiKey, fetch }).responses('gpt-5'),
    messages: createAnthropic({ apiKey, fetch })('claude-sonnet-5'),
  })

  it.each([
    ['chat', CHAT],
    ['responses', RESPONSE],
    ['messages', MESSAGE],
  ] as const)('reads a recorded answer of %s the same, streamed or not', async (api, output) => {
    const whole = await generateText({ ...asked, model: models(served(output).fetch)[api] })
    const stream = streamText({ ...asked, model: models(served(output).fetch)[api] })
    expect(await stream.text).toBe(whole.text)
    expect(whole.text).toBe('It is shipped.')
    expect((await stream.toolCalls).map(call => call.input)).toEqual(whole.toolCalls.map(call => call.input))
    expect(whole.toolCalls[0]!.input).toEqual({ order: 'A-17' })
    expect(await stream.finishReason).toBe(whole.finishReason)
    expect((await stream.usage).outputTokens).toBe(whole.usage.outputTokens)
  })

  it('is refused without a second try', async () => {
    const { fetch, asked: requests } = refused()
    const error = await generateText({ ...asked, model: models(fetch).chat }).catch(thrown => thrown)
    expect([error.statusCode, error.message]).toEqual([400, 'call 2 asks something else'])
    expect(requests.length).toBe(1)
  })
})

describe('@openai/agents', () => {
  const run = async (stream: boolean, useResponses: boolean) => {
    const outputs = useResponses ? [RESPONSE, SAID.response] : [CHAT, SAID.chat]
    let at = 0
    const { fetch, asked } = fetchThat(read => answerOf(read, outputs[Math.min(at++, 1)] as unknown as Json))
    const openAIClient = new OpenAI({ apiKey, fetch })
    const modelProvider = new OpenAIProvider({ openAIClient: openAIClient as never, useResponses })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const orders: string[] = []
    const lookUp = agentTool({
      name: 'get_order',
      description: 'Looks an order up',
      parameters: z.object({ order: z.string() }),
      execute: ({ order }) => {
        orders.push(order)
        return 'shipped'
      },
    })
    const agent = new Agent({ name: 'desk', model: 'gpt-5', tools: [lookUp] })
    if (!stream) return { text: (await runner.run(agent, 'hi')).finalOutput, orders, asked }
    const result = await runner.run(agent, 'hi', { stream: true })
    await result.completed
    return { text: result.finalOutput, orders, asked }
  }

  it.each([false, true])(
    'runs the recorded tools and ends with the recorded text, responses API: %s',
    async useResponses => {
      const [whole, streamed] = [await run(false, useResponses), await run(true, useResponses)]
      expect([whole.text, streamed.text]).toEqual(['Done.', 'Done.'])
      expect(whole.orders).toContain('A-17')
      expect(streamed.orders).toEqual(whole.orders)
      expect(streamed.asked.map(read => [read.kind, read.streams])).toEqual([
        ['model', true],
        ['model', true],
      ])
    },
  )
})

describe('@langchain/openai', () => {
  it('reads a recorded response the same, streamed or not', async () => {
    const { fetch } = served(RESPONSE)
    const model = new ChatOpenAI({ apiKey, model: 'gpt-5', useResponsesApi: true, configuration: { fetch } })
    const whole = await model.invoke('Where is A-17?')
    let said: AIMessageChunk | undefined
    for await (const chunk of await model.stream('Where is A-17?')) said = said?.concat(chunk) ?? chunk
    expect([whole.text, said?.text]).toEqual(['It is shipped.', 'It is shipped.'])
    expect(said?.tool_calls?.map(call => call.args)).toEqual([{ order: 'A-17' }])
  })

  it('reads a recorded chat completion the same, streamed or not', async () => {
    const { fetch } = served(CHAT)
    const model = new ChatOpenAI({ apiKey, model: 'gpt-4o-mini', configuration: { fetch } })
    const whole = await model.invoke('Where is A-17?')
    let text = ''
    for await (const chunk of await model.stream('Where is A-17?')) text += chunk.text
    expect([whole.text, text]).toEqual(['It is shipped.', 'It is shipped.'])
    expect(whole.tool_calls?.[0]).toMatchObject({ name: 'get_order', args: { order: 'A-17' } })
  })
})
