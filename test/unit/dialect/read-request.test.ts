import { describe, expect, it } from 'vitest'
import { readRequest } from '../../../src/dialect/read-request.ts'
import { read, sent } from './exchanges.ts'

const messages = [{ role: 'user', content: 'hi' }]
const chat = { model: 'm', messages }

describe('a model API is known by path and body, whatever the host', () => {
  it.each([
    ['https://api.openai.com/v1/chat/completions', chat, 'openai', 'm', 'chat.completions.create'],
    ['http://localhost:11434/v1/chat/completions', chat, 'openai', 'm', 'chat.completions.create'],
    ['https://openrouter.ai/api/v1/chat/completions', chat, 'openai', 'm', 'chat.completions.create'],
    ['https://gateway.example/a/b/openai/chat/completions/', chat, 'openai', 'm', 'chat.completions.create'],
    [
      'https://x.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2025-01-01',
      { messages },
      'openai',
      'my gpt',
      'chat.completions.create',
    ],
    [
      'http://127.0.0.1:8080/v1/chat/completions',
      { messages },
      'openai',
      'default',
      'chat.completions.create',
    ],
    ['https://api.openai.com/v1/responses', { model: 'm', input: 'hi' }, 'openai', 'm', 'responses.create'],
    [
      'https://api.openai.com/v1/responses',
      { prompt: { id: 'pmpt_1' } },
      'openai',
      'default',
      'responses.create',
    ],
    [
      'https://api.openai.com/v1/embeddings',
      { model: 'm', input: ['a'] },
      'openai',
      'm',
      'embeddings.create',
    ],
    ['http://vllm:8000/v1/completions', { model: 'm', prompt: 'a' }, 'openai', 'm', 'completions.create'],
    [
      'https://api.anthropic.com/v1/messages?beta=true',
      { ...chat, max_tokens: 9 },
      'anthropic',
      'm',
      'messages.create',
    ],
    [
      'https://gateway.example/anthropic/messages',
      { ...chat, max_tokens: 9 },
      'anthropic',
      'm',
      'messages.create',
    ],
    ['https://api.anthropic.com/v1/messages/count_tokens', chat, 'anthropic', 'm', 'messages.count_tokens'],
    [
      'https://eu-aiplatform.googleapis.com/v1/projects/p/locations/eu/publishers/anthropic/models/claude@1:rawPredict',
      { anthropic_version: 'vertex-2023-10-16', messages, max_tokens: 9 },
      'anthropic',
      'claude@1',
      'messages.create',
    ],
    [
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-3:generateContent',
      { contents: [] },
      'google',
      'gemini-3',
      'models.generate_content',
    ],
    ['https://api.cohere.com/v2/chat', chat, 'cohere', 'm', 'chat'],
    ['http://localhost:11434/api/chat', chat, 'ollama', 'm', 'chat'],
    ['http://localhost:11434/api/generate', { model: 'm', prompt: 'a' }, 'ollama', 'm', 'generate'],
  ])('%s', (url, body, provider, model, method) => {
    const request = read(url, { body })
    expect(request).toMatchObject({ kind: 'model', target: { kind: 'llm', provider, model } })
    expect(request.input).toEqual({ method, request: body })
  })

  it('keeps the members of the request in their order', () => {
    const body = { top_p: 1, model: 'm', messages, a: 1 }
    const { request } = read('http://x/chat/completions', { body }).input as { request: object }
    expect(JSON.stringify(request)).toBe(JSON.stringify(body))
  })

  it('keeps integers beyond 2^53', () => {
    const body = '{"messages":[],"seed":9007199254740993}'
    expect(read('http://x/chat/completions', { body }).input).toMatchObject({
      request: { seed: 9007199254740993n },
    })
  })

  it.each([
    ['http://x/v1/chat/completions', { ...chat, stream: true }, true],
    ['http://x/v1/chat/completions', { ...chat, stream: false }, false],
    ['http://x/v1/models/gemini-3:streamGenerateContent?alt=sse', { contents: [] }, true],
    ['http://x/api/chat', chat, true],
    ['http://x/api/chat', { ...chat, stream: false }, false],
    ['http://x/v1/embeddings', { model: 'm', input: 'a', stream: true }, false],
  ])('%s with %j streams: %s', (url, body, streams) => {
    expect(read(url, { body }).streams).toBe(streams)
  })
})

describe('what only looks like a model API is plain HTTP', () => {
  it.each([
    ['a chat of people', 'POST', 'http://shop.example/api/messages', { to: 'a', text: 'hi' }],
    ['a survey', 'POST', 'http://survey.example/forms/1/responses', { answers: [] }],
    ['a response that is fetched again', 'GET', 'https://api.openai.com/v1/responses/resp_1', null],
    ['an upload', 'POST', 'https://api.openai.com/v1/chat/completions', 'not JSON'],
    [
      'a list where an object belongs',
      'POST',
      'https://api.openai.com/v1/chat/completions',
      '[{"messages":[]}]',
    ],
    ['a batch of messages', 'POST', 'https://api.anthropic.com/v1/messages/batches', { requests: [] }],
    ['members of the prototype', 'POST', 'http://x/v1/messages', { model: 'm', messages, toString: 1 }],
    ['GraphQL', 'POST', 'http://x/graphql', { query: '{a}' }],
    ['JSON-RPC', 'POST', 'http://x/mcp', { jsonrpc: '2.0', method: 'tools/list', id: 1 }],
  ])('%s', (_, method, url, body) => {
    const { hostname, pathname } = new URL(url)
    const content = typeof body === 'string' && body.startsWith('[') ? JSON.parse(body) : body
    expect(read(url, { method, body })).toEqual({
      kind: 'plain',
      target: { kind: 'tool', name: `http ${method} ${hostname}` },
      dialect: null,
      input: { path: pathname, ...(content !== null && { body: content }) },
      streams: false,
    })
  })
})

describe('headers that change what a model does', () => {
  const url = 'https://api.anthropic.com/v1/messages'
  const body = { ...chat, max_tokens: 9 }
  const input = (headers: { [name: string]: string }): unknown => read(url, { body, headers }).input

  it('are no part of the input where they are what SDKs send by themselves', () => {
    const plain = { method: 'messages.create', request: body }
    expect(input({ 'anthropic-version': '2023-06-01', 'x-api-key': 'k' })).toEqual(plain)
    expect(input({ 'anthropic-version': '2026-10-21', 'anthropic-beta': 'oauth-2025-04-20' })).toEqual(plain)
  })

  it('are part of it otherwise, lists in no order', () => {
    const asked = {
      'anthropic-beta': ['context-1m-2025-08-07', 'files-api-2025-04-14'],
      'anthropic-version': '2020',
    }
    expect(
      input({
        'anthropic-beta': 'files-api-2025-04-14, oauth-2025-04-20,context-1m-2025-08-07',
        'anthropic-version': '2020',
      }),
    ).toEqual({ method: 'messages.create', request: body, headers: asked })
  })
})

describe('plain HTTP', () => {
  const input = (
    url: string,
    headers: { [name: string]: string } = {},
    body: Uint8Array | string | object | null = null,
  ) => read(url, { headers, body }).input
  const bytes = new Uint8Array([0, 255, 254])

  it('is named by method and host, without the port', () => {
    const { target } = read('http://user:pass@shop.example:4010/a', { method: 'GET' })
    expect(target).toEqual({ kind: 'tool', name: 'http GET shop.example' })
  })

  it('is named by the variable that holds the address', () => {
    const serviceOf = ({ host }: URL) => (host === 'localhost:4010' ? 'SHOP_API' : null)
    const name = (url: string): unknown => readRequest(sent(url), serviceOf).target
    expect(name('http://localhost:4010/a')).toEqual({ kind: 'tool', name: `http POST \${SHOP_API}` })
    expect(name('http://localhost:4011/a')).toEqual({ kind: 'tool', name: 'http POST localhost' })
  })

  it('has path and query as its input, repeated names as lists, and no credentials', () => {
    expect(input('http://u:p@x:1/a%20b?n=1&n=2&q=ö%26&__proto__=x#frag')).toEqual({
      path: '/a%20b',
      query: JSON.parse('{"n":["1","2"],"q":"ö&","__proto__":"x"}'),
    })
    expect(input('http://x/?')).toEqual({ path: '/' })
  })

  it('has its body as JSON, text, form or bytes', () => {
    expect(input('http://x/', {}, '{"b":1,"a":[2]}')).toEqual({ path: '/', body: { b: 1, a: [2] } })
    expect(input('http://x/', { 'content-type': 'application/json' }, '"a"')).toEqual({
      path: '/',
      body: '"a"',
    })
    expect(input('http://x/', {}, 'a=1&b=2')).toEqual({ path: '/', body: 'a=1&b=2' })
    expect(input('http://x/', {}, '')).toEqual({ path: '/' })
    expect(input('http://x/', {}, bytes)).toEqual({ path: '/', base64: 'AP/+' })
    const form = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    expect(input('http://x/', form, 'a=1&b=%C3%A4+c&a=2')).toEqual({
      path: '/',
      form: { a: ['1', '2'], b: 'ä c' },
    })
  })

  it('keeps length and digest of a very long text', () => {
    const text = 'ä'.repeat(9_000_000)
    const kept = input('http://x/', {}, text)
    expect(kept).toEqual({ path: '/', bytes: 18_000_000, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(input('http://x/', {}, new TextEncoder().encode(text))).toEqual(kept)
    expect(input('http://x/', {}, text.slice(0, 6_000_000))).toHaveProperty('body')
  })

  it('keeps length and digest of many bytes', () => {
    const many = new Uint8Array(2_000_000).fill(255)
    expect(input('http://x/', {}, many)).toEqual({
      path: '/',
      bytes: 2_000_000,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  it('has the same input for a multipart form whatever its boundary is', async () => {
    const inputs = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const form = new FormData()
      form.append('token', 'abc')
      form.append('tag', 'a')
      form.append('tag', 'b\r\n--x')
      form.append('file', new Blob([bytes], { type: 'audio/wav' }), 'ä.wav')
      form.append('note', new Blob(['{"a":1}'], { type: 'application/json' }), 'n.json')
      form.append('empty', '')
      const request = new Request('http://x/', { method: 'POST', body: form })
      const type = request.headers.get('content-type')!
      const got = input('http://x/', { 'content-type': type }, new Uint8Array(await request.arrayBuffer()))
      inputs.add(JSON.stringify(got))
      expect(got).toEqual({
        path: '/',
        parts: {
          token: 'abc',
          tag: ['a', 'b\r\n--x'],
          file: { filename: 'ä.wav', type: 'audio/wav', base64: 'AP/+' },
          note: { filename: 'n.json', type: 'application/json', text: '{"a":1}' },
          empty: '',
        },
      })
    }
    expect(inputs.size).toBe(1)
  })

  it('keeps the bytes of a form that is broken', () => {
    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    for (const broken of ['--b', '--b\r\nno name\r\n\r\nx\r\n--b--', 'nothing'])
      expect(input('http://x/', type, broken)).toEqual({ path: '/', body: broken })
  })
})

describe('telemetry', () => {
  const protobuf = { 'content-type': 'application/x-protobuf' }
  it.each([
    ['POST', 'http://localhost:4318/v1/traces', protobuf, new Uint8Array([10])],
    ['POST', 'http://collector/otlp/v1/metrics', {}, '{"resourceMetrics":[]}'],
    ['POST', 'https://api.openai.com/v1/traces/ingest', {}, '{"data":[]}'],
    ['POST', 'https://api.smith.langchain.com/runs/multipart', {}, 'x'],
    ['GET', 'https://eu.api.smith.langchain.com/info', {}, null],
    ['PATCH', 'https://api.smith.langchain.com/runs/01901234-5678-7abc-8def-0123456789ab', {}, '{}'],
    ['POST', 'http://localhost:3000/api/public/ingestion', {}, '{"batch":[]}'],
    ['POST', 'https://o1.ingest.us.sentry.io/api/2/envelope/', {}, 'x'],
    ['POST', 'https://sentry.mine.example/api/2/envelope/', {}, 'x'],
    ['POST', 'https://eu.i.posthog.com/batch/', {}, '{}'],
    ['POST', 'https://api.segment.io/v1/batch', {}, '{}'],
    ['POST', 'https://http-intake.logs.datadoghq.com/api/v2/logs', {}, '[]'],
    ['POST', 'https://api.datadoghq.com/api/v2/series', {}, '{}'],
    ['POST', 'https://trace.agent.us3.datadoghq.com/api/v0.2/traces', {}, 'x'],
    ['POST', 'https://api.worker.helicone.ai/custom/v1/log', {}, '{}'],
    ['POST', 'https://api.honeycomb.io/v1/traces', { 'content-type': 'application/x-protobuf' }, 'x'],
    ['PUT', 'http://localhost:8126/v0.4/traces', {}, 'x'],
    ['POST', 'https://api.us.hconeai.com/oai/v1/log', {}, '{}'],
  ] as const)('%s %s', (method, url, headers, body) => {
    expect(read(url, { method, headers, body }).kind).toBe('telemetry')
  })

  it.each([
    ['a prompt', 'GET', 'https://cloud.langfuse.com/api/public/v2/prompts/a', null],
    ['a prompt', 'GET', 'https://api.smith.langchain.com/commits/-/a/latest', null],
    ['runs that are looked for', 'POST', 'https://api.smith.langchain.com/runs/query', '{}'],
    ['a model behind a gateway', 'POST', 'https://oai.helicone.ai/v1/moderations', '{}'],
    ['a data set', 'GET', 'https://api.smith.langchain.com/examples?dataset=a', null],
    ['feature flags', 'POST', 'https://eu.i.posthog.com/flags?v=2', '{}'],
    ['a log book', 'POST', 'http://ship.example/v1/logs', '{"entry":"all is well"}'],
    ['metrics that are read', 'GET', 'http://collector/v1/metrics', null],
    ['monitors', 'GET', 'https://api.datadoghq.com/api/v1/monitor', null],
    ['a host that only sounds like one', 'POST', 'https://notsentry.example/batch', '{}'],
  ] as const)('%s is none: %s %s', (_, method, url, body) => {
    expect(read(url, { method, body }).kind).toBe('plain')
  })
})
