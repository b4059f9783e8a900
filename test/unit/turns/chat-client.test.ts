import { describe, expect, it } from 'vitest'
import { ReplayProvider } from '../../../src/turns/replay-provider.ts'
import { ASKS, ordered, stepsOf, turn } from './steps.ts'

interface Message {
  role: string
  content: string | null
  tool_call_id?: string
  tool_calls?: object[]
}

const RUN = [
  { turn: turn('', [ASKS]), tools: [ordered(2, { order: 'A-1' })] },
  { turn: turn('Order A-1 is placed.') },
]
const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Two, please' }] as Message[] }

/** An agent as it is written against the client of OpenAI. */
async function agent(provider: ReplayProvider): Promise<string | null> {
  const client = provider.chatClient()
  const place = provider.tool('place_order', async (_: { qty: number }): Promise<object> => {
    throw new Error('an order was placed for real')
  })
  const messages = [...body.messages]
  for (;;) {
    const { choices } = await client.chat.completions.create({ ...body, messages })
    const { message, finish_reason } = choices[0]!
    if (finish_reason !== 'tool_calls') return message.content
    messages.push(message)
    for (const call of message.tool_calls ?? []) {
      const content = JSON.stringify(await place(JSON.parse(call.function.arguments)))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

describe('recorded turns as an OpenAI-style client', () => {
  it('drive an agent with a tool, whose recorded return is served', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
    expect(await agent(provider)).toBe('Order A-1 is placed.')
    provider.verifyComplete()
  })

  it('answer in the shape of the API', async () => {
    const client = ReplayProvider.fromSteps('r', stepsOf(RUN)).chatClient()
    expect(await client.chat.completions.create(body)).toEqual({
      id: 'replay-0',
      object: 'chat.completion',
      created: 0,
      model: 'claude',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: null,
            refusal: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'place_order', arguments: '{"qty":2}' } },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 7,
        total_tokens: 17,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    })
  })

  it('stream the same, and the tokens if they are asked for', async () => {
    const client = ReplayProvider.fromSteps('r', stepsOf(RUN)).chatClient()
    const stream = await client.chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    const calls = [
      { index: 0, id: 'c1', type: 'function', function: { name: 'place_order', arguments: '{"qty":2}' } },
    ]
    expect(chunks).toMatchObject([
      { choices: [{ delta: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { total_tokens: 17 } },
    ])
    const plain = await client.chat.completions.create({ ...body, stream: true })
    let text = ''
    for await (const chunk of plain) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe('Order A-1 is placed.')
  })

  it('refuse another question and go on with the right one', async () => {
    const steps = stepsOf(RUN.map(parts => ({ ...parts, request: body })))
    const { completions } = ReplayProvider.fromSteps('r', steps).chatClient().chat
    await expect(completions.create({ ...body, messages: [] })).rejects.toMatchObject({ kind: 'mismatch' })
    expect((await completions.create(body)).choices[0]!.finish_reason).toBe('tool_calls')
  })

  it.each([
    ['stop', [], 'stop'],
    ['length', [], 'length'],
    ['content_filter', [], 'content_filter'],
    ['error', [], 'error'],
    [null, [], 'stop'],
    [null, [ASKS], 'tool_calls'],
  ] as const)(
    'end with the recorded reason %s, or the one that fits (tools: %j)',
    async (finish_reason, calls, reason) => {
      const steps = stepsOf([{ turn: { ...turn('a', calls), finish_reason } }])
      const reply = await ReplayProvider.fromSteps('r', steps).chatClient().chat.completions.create(body)
      expect(reply.choices[0]!.finish_reason).toBe(reason)
    },
  )

  it('give the abort and no turn when the agent has given up', async () => {
    const provider = ReplayProvider.fromSteps('r', stepsOf(RUN))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(provider.chatClient().chat.completions.create(body, { signal })).rejects.toThrow('enough')
    expect(provider.remaining).toBe(2)
  })
})
