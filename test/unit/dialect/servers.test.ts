/** Streams of a server that nobody here wrote mean what the same server says in one piece. */
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf } from '../../../src/dialect/failure-of.ts'
import { outputOf } from '../../../src/dialect/output-of.ts'
import { readRequest } from '../../../src/dialect/read-request.ts'
import type { Json } from '../../../src/json/value.ts'
import { sent } from './exchanges.ts'

const mock = new LLMock({ port: 0 })

beforeAll(async () => {
  mock.onMessage('say', { content: 'It is shipped, and arrives on “Monday” 😀.' })
  mock.onMessage('look', {
    toolCalls: [
      { name: 'get_order', arguments: '{"order":"A-17"}' },
      { name: 'get_order', arguments: '{"order":"B-2"}' },
    ],
  })
  mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two.' })
  mock.onMessage('fail', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429 })
  await mock.start()
})

afterAll(() => mock.stop())

async function ask(path: string, body: object) {
  const url = `${mock.url}${path}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer none', 'x-api-key': 'none' },
    body: JSON.stringify(body),
  })
  const { status, statusText } = response
  const read = readRequest(sent(url, { body }))
  const head = { status, statusText, headers: [...response.headers] }
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { output: outputOf(read, head, bytes), failure: failureOf(read, head, bytes), streams: read.streams }
}

const user = (content: string) => [{ role: 'user', content }]
const APIS: readonly (readonly [string, (say: string, stream: boolean) => [string, object]])[] = [
  [
    'chat completions',
    (say, stream) => [
      '/v1/chat/completions',
      {
        model: 'gpt-4o',
        messages: user(say),
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
      },
    ],
  ],
  ['responses', (say, stream) => ['/v1/responses', { model: 'gpt-4o', input: user(say), stream }]],
  [
    'messages',
    (say, stream) => [
      '/v1/messages',
      { model: 'claude-sonnet-5', max_tokens: 99, messages: user(say), stream },
    ],
  ],
  [
    'Google',
    (say, stream) => [
      `/v1beta/models/gemini-3:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      { contents: [{ role: 'user', parts: [{ text: say }] }] },
    ],
  ],
  ['Cohere', (say, stream) => ['/v2/chat', { model: 'command-a', messages: user(say), stream }]],
  ['Ollama', (say, stream) => ['/api/chat', { model: 'llama3.2', messages: user(say), stream }]],
]

/** Ids and times are drawn anew for each answer, signatures are of the very text. */
const DRAWN = /^(id|call_id|created|created_at|completed_at|item_id|signature|thoughtSignature|.*_duration)$/

function comparable(value: Json): unknown {
  // This server has a plan for a tool only when it streams; only OpenAI itself says in a stream that there is no refusal.
  const isLeftOut = (key: string, member: unknown) =>
    DRAWN.test(key) || key === 'tool_plan' || (key === 'refusal' && member === null)
  return JSON.parse(JSON.stringify(value), (key, member) => (isLeftOut(key, member) ? undefined : member))
}

describe.each(APIS)('%s', (_, request) => {
  it.each(['say', 'look', 'think'])('that is asked to %s answers the same in a stream', async say => {
    const whole = await ask(...request(say, false))
    const streamed = await ask(...request(say, true))
    expect([whole.streams, streamed.streams]).toEqual([false, true])
    expect([whole.failure, streamed.failure]).toEqual([null, null])
    expect(comparable(streamed.output)).toEqual(comparable(whole.output))
  })

  it.each([false, true])('that is asked too much fails as the SDKs say, streamed: %s', async stream => {
    const { failure } = await ask(...request('fail', stream))
    expect(failure).toMatchObject({
      name: 'RateLimitError',
      message: '429 Slow down',
      members: { status: 429 },
    })
  })
})
