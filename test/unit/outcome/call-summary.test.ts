import { describe, expect, it } from 'vitest'
import { callSummary } from '../../../src/outcome/call-summary.ts'

describe('a call in a few words is', () => {
  const request = (name: string, input: Parameters<typeof callSummary>[1]) =>
    callSummary({ target: { kind: 'tool', name } }, input)

  it('an address and what was sent, for a request over HTTP, as inspect shows it', () => {
    expect(request('http GET api.example', { path: '/now', query: { city: 'Oslo', day: ['1', '2'] } })).toBe(
      '/now?city=Oslo&day=1&day=2',
    )
    expect(request('http POST shop.example', { path: '/stock', body: { sku: 'coat', n: 2 } })).toBe(
      '/stock {"sku": "coat", "n": 2}',
    )
    expect(request('http POST api.example', { path: '/f', form: { a: 'b' } })).toBe('/f {"form": {"a": "b"}}')
  })

  it('its input for a tool of another name, also one with a path', () => {
    expect(request('read', { path: '/now', query: { a: 1 } })).toBe('{"path": "/now", "query": {"a": 1}}')
  })

  it('its counts for a chat', () => {
    const target = { kind: 'llm', provider: 'openai', model: 'gpt-4o-mini' } as const
    expect(callSummary({ target }, { request: { messages: [1, 2], tools: [3] } })).toBe('2 messages, 1 tool')
  })
})
