import { describe, expect, it } from 'vitest'
import { requestHashes } from '../../../src/turns/request-hash.ts'

const promptOf = (...messages: object[]): string => requestHashes({ messages }).promptHash

const user = { role: 'user', content: 'Charge 42.50' }

describe('what a model said comes back in the next request as the same, though a replay has less of it', () => {
  it.each([
    [
      'OpenAI-style chats',
      {
        role: 'assistant',
        content: null,
        refusal: null,
        annotations: [],
        audio: null,
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'charge', arguments: '{"cents":4250}' } },
        ],
      },
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'charge', arguments: '{"cents":4250}' } },
        ],
      },
    ],
    [
      'the ai package',
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hm', providerOptions: { openai: { itemId: 'rs_1' } } },
          { type: 'text', text: 'One moment.', providerOptions: { openai: { itemId: 'msg_1' } } },
          {
            type: 'tool-call',
            toolCallId: 'c',
            toolName: 'charge',
            input: { cents: 4250 },
            providerOptions: {},
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'charge', input: { cents: 4250 } },
        ],
      },
    ],
    [
      'Anthropic',
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'One moment.', citations: null },
          { type: 'tool_use', id: 'c', name: 'charge', input: { cents: 4250 } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'tool_use', id: 'c', name: 'charge', input: { cents: 4250 } },
        ],
      },
    ],
    [
      'a text alone',
      { role: 'assistant', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
    ],
  ])('in messages of %s', (_, recorded, replayed) => {
    expect(promptOf(user, replayed)).toBe(promptOf(user, recorded))
  })

  it('and so do the messages that answer it, whose marks are the provider’s', () => {
    const part = {
      type: 'tool-result',
      toolCallId: 'c',
      toolName: 'charge',
      output: { type: 'json', value: 1 },
    }
    const marked = { role: 'tool', content: [{ ...part, providerOptions: { openai: { itemId: 'fc_1' } } }] }
    expect(promptOf({ role: 'tool', content: [part] })).toBe(promptOf(marked))
  })
})

describe('another prompt has another hash', () => {
  const call = (args: string, id = 'c', name = 'charge') => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
  })

  it('when anything differs that the model reads', () => {
    const prompts = [
      promptOf(user),
      promptOf(user, user),
      promptOf({ ...user, content: 'Charge 43.50' }),
      promptOf({ ...user, role: 'system' }),
      promptOf({ ...user, name: 'ann' }),
      promptOf(user, { role: 'assistant', content: 'Yes' }),
      promptOf(user, { role: 'assistant', content: 'No' }),
      promptOf(user, call('{}')),
      promptOf(user, call('{"cents":1}')),
      promptOf(user, call('{}', 'd')),
      promptOf(user, call('{}', 'c', 'refund')),
      promptOf(user, { role: 'tool', tool_call_id: 'c', content: '1' }),
      promptOf(user, { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: '1' }] }),
      requestHashes({ prompt: [user] }).promptHash,
      requestHashes({ prompt: 'Charge 42.50' }).promptHash,
      requestHashes({ system: 'Charge 42.50' }).promptHash,
    ]
    expect(new Set(prompts).size).toBe(prompts.length)
  })

  it('and settings are hashed apart from it', () => {
    const one = requestHashes({ model: 'a', messages: [user], temperature: 0 })
    const other = requestHashes({ model: 'b', messages: [user], temperature: 0 })
    expect(other.promptHash).toBe(one.promptHash)
    expect(other.paramsHash).not.toBe(one.paramsHash)
  })
})
