/** Streams taken apart and made again: whatever was said, and wherever the network cut it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../src/dialect/answer-of.ts'
import { failureOf } from '../../../src/dialect/failure-of.ts'
import { outputOf } from '../../../src/dialect/output-of.ts'
import { readEvents } from '../../../src/dialect/server-sent-events.ts'
import { parseJson } from '../../../src/json/parse-json.ts'
import type { Json, JsonObject } from '../../../src/json/value.ts'
import type { ReadRequest } from '../../../src/trace/exchange.ts'
import { bytesOf, read } from './exchanges.ts'
import { CHAT, MESSAGE, RESPONSE } from './outputs.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
const json = fc.jsonValue({ maxDepth: 2 }).map(value => JSON.parse(JSON.stringify(value)) as Json)
const jsonObject = fc.dictionary(word, json, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
/** As a recording has it: members that are undefined are not there, large integers are exact. */
const sent = <T>(arbitrary: fc.Arbitrary<T>) =>
  arbitrary.map(value => parseJson(JSON.stringify(value)) as JsonObject)

const toolCall = fc.record({
  id: word,
  type: fc.constant('function'),
  function: fc.record({ name: word, arguments: json.map(value => JSON.stringify(value)) }),
})
const choice = fc.record({
  message: fc.record({
    role: fc.constant('assistant'),
    content: fc.option(text),
    refusal: optional(fc.option(text)),
    tool_calls: optional(fc.array(toolCall, { maxLength: 3 })),
    reasoning_content: optional(text),
    annotations: optional(
      fc.array(
        jsonObject.map(({ index: _, ...rest }) => rest),
        { maxLength: 2 },
      ),
    ),
  }),
  logprobs: fc.option(
    fc.record({ content: fc.array(fc.record({ token: text, logprob: fc.integer() }), { maxLength: 3 }) }),
  ),
  finish_reason: fc.option(fc.constantFrom('stop', 'length', 'tool_calls')),
})
const chat = sent(
  fc.record({
    id: word,
    object: fc.constant('chat.completion'),
    created: fc.nat(),
    model: word,
    choices: fc
      .array(choice, { minLength: 1, maxLength: 3 })
      .map(choices => choices.map((one, index) => ({ index, ...one }))),
    usage: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat(), total_tokens: fc.nat() }),
    system_fingerprint: optional(fc.option(word)),
  }),
)
const completion = sent(
  fc.record({
    id: word,
    object: fc.constant('text_completion'),
    choices: fc
      .array(fc.record({ text, logprobs: fc.constant(null), finish_reason: fc.option(word) }), {
        minLength: 1,
      })
      .map(choices => choices.map((one, index) => ({ index, ...one }))),
    usage: fc.record({ total_tokens: fc.nat() }),
  }),
)

const outputText = fc.record({
  type: fc.constant('output_text'),
  text,
  annotations: fc.array(jsonObject, { maxLength: 2 }),
  logprobs: optional(fc.constant([])),
})
const item = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    id: word,
    status: fc.constant('completed'),
    role: fc.constant('assistant'),
    content: fc.array(fc.oneof(outputText, fc.record({ type: fc.constant('refusal'), refusal: text })), {
      maxLength: 2,
    }),
  }),
  fc.record({
    type: fc.constant('reasoning'),
    id: word,
    summary: fc.array(fc.record({ type: fc.constant('summary_text'), text }), { maxLength: 2 }),
    content: optional(fc.array(fc.record({ type: fc.constant('reasoning_text'), text }), { maxLength: 2 })),
    encrypted_content: optional(word),
  }),
  fc.record({
    type: fc.constant('function_call'),
    id: word,
    call_id: word,
    name: word,
    arguments: json.map(value => JSON.stringify(value)),
    status: fc.constant('completed'),
  }),
  fc.record({ type: fc.constant('custom_tool_call'), id: word, name: word, input: text }),
  fc.record({ type: fc.constant('web_search_call'), id: word, action: jsonObject }),
)
const response = sent(
  fc.record({
    id: word,
    object: fc.constant('response'),
    status: fc.constantFrom('completed', 'incomplete', 'failed'),
    model: word,
    output: fc.array(item, { maxLength: 4 }),
    error: fc.option(jsonObject),
    usage: optional(jsonObject),
  }),
)

const block = fc.oneof(
  fc.record({
    type: fc.constant('text'),
    text,
    citations: optional(fc.option(fc.array(jsonObject, { maxLength: 2 }))),
  }),
  fc.record({ type: fc.constant('thinking'), thinking: text, signature: optional(word) }),
  fc.record({ type: fc.constant('redacted_thinking'), data: word }),
  fc.record({
    type: fc.constantFrom('tool_use', 'server_tool_use'),
    id: word,
    name: word,
    input: jsonObject,
  }),
  fc.record({
    type: fc.constant('web_search_tool_result'),
    tool_use_id: word,
    content: fc.array(jsonObject, { maxLength: 2 }),
  }),
)
const message = sent(
  fc.record({
    id: word,
    type: fc.constant('message'),
    role: fc.constant('assistant'),
    model: word,
    content: fc.array(block, { maxLength: 4 }),
    stop_reason: fc.option(fc.constantFrom('end_turn', 'tool_use', 'stop_sequence')),
    stop_sequence: fc.option(word),
    stop_details: optional(fc.option(jsonObject)),
    container: optional(jsonObject),
    usage: fc.record({
      input_tokens: fc.nat(),
      output_tokens: fc.nat(),
      cache_read_input_tokens: optional(fc.nat()),
    }),
  }),
)

const generated = sent(
  fc.record({
    candidates: fc.array(
      fc.record({
        content: fc.record({
          role: fc.constant('model'),
          parts: fc.array(fc.record({ text }), { maxLength: 1 }),
        }),
        finishReason: fc.constant('STOP'),
        index: fc.constant(0),
      }),
      { minLength: 1, maxLength: 1 },
    ),
    usageMetadata: jsonObject,
  }),
)
const cohere = sent(
  fc.record({
    id: word,
    finish_reason: word,
    message: fc.record({
      role: fc.constant('assistant'),
      tool_plan: optional(text),
      content: optional(
        fc.array(
          fc.oneof(
            fc.record({ type: fc.constant('text'), text }),
            fc.record({ type: fc.constant('thinking'), thinking: text }),
          ),
          { maxLength: 2 },
        ),
      ),
      tool_calls: optional(fc.array(toolCall, { maxLength: 2 })),
      citations: optional(
        fc.array(fc.record({ text, start: fc.nat(), sources: fc.array(jsonObject) }), { maxLength: 2 }),
      ),
    }),
    usage: jsonObject,
  }),
)
const ollamaChat = sent(
  fc.record({
    model: word,
    created_at: fc.constant('2026-12-01T00:00:00Z'),
    message: fc.record({
      role: fc.constant('assistant'),
      content: text,
      thinking: optional(text),
      tool_calls: optional(
        fc.array(fc.record({ function: fc.record({ name: word, arguments: jsonObject }) }), { maxLength: 2 }),
      ),
    }),
    done: fc.constant(true),
    done_reason: fc.constant('stop'),
    eval_count: fc.nat(),
  }),
)
const ollamaText = sent(
  fc.record({ model: word, response: text, done: fc.constant(true), context: fc.array(fc.nat()) }),
)

/** Members that some API has, with values that none has. */
const MEMBERS = [
  ...[
    'type',
    'choices',
    'delta',
    'message',
    'content',
    'tool_calls',
    'index',
    'usage',
    'logprobs',
    'error',
    '__proto__',
  ],
  ...[
    'response',
    'output',
    'item',
    'part',
    'output_index',
    'content_index',
    'summary_index',
    'annotation',
    'summary',
  ],
  ...[
    'content_block',
    'partial_json',
    'citation',
    'candidates',
    'parts',
    'text',
    'function',
    'arguments',
    'input',
  ],
]
const TYPES = [
  'message_start',
  'content_block_start',
  'content_block_delta',
  'message_delta',
  'citations_delta',
]
const { nonsense } = fc.letrec<{ nonsense: JsonObject; value: Json }>(tie => ({
  nonsense: fc
    .array(fc.tuple(fc.constantFrom(...MEMBERS), tie('value')), { maxLength: 6 })
    .map(
      members =>
        parseJson(
          `{${members.map(([key, value]) => `"${key}":${JSON.stringify(value)}`).join()}}`,
        ) as JsonObject,
    ),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      null,
      -1,
      0,
      1,
      2.5,
      true,
      '',
      'a',
      '{"polluted":1}',
      ...TYPES,
      'response.output_item.added',
    ),
    tie('nonsense'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

const messages: Json = []
const STREAMING: readonly (readonly [string, ReadRequest, fc.Arbitrary<JsonObject>])[] = [
  [
    'chat completions',
    read('http://x/v1/chat/completions', {
      body: { model: 'm', messages, stream: true, stream_options: { include_usage: true } },
    }),
    chat,
  ],
  [
    'completions',
    read('http://x/v1/completions', {
      body: { model: 'm', prompt: 'a', stream: true, stream_options: { include_usage: true } },
    }),
    completion,
  ],
  ['responses', read('http://x/v1/responses', { body: { model: 'm', input: 'a', stream: true } }), response],
  [
    'messages',
    read('http://x/v1/messages', { body: { model: 'm', max_tokens: 1, messages, stream: true } }),
    message,
  ],
  ['Google', read('http://x/v1beta/models/m:streamGenerateContent', { body: { contents: [] } }), generated],
  ['Cohere', read('http://x/v2/chat', { body: { model: 'm', messages, stream: true } }), cohere],
  ["Ollama's chat", read('http://x/api/chat', { body: { model: 'm', messages } }), ollamaChat],
  ["Ollama's texts", read('http://x/api/generate', { body: { model: 'm', prompt: 'a' } }), ollamaText],
]

const HEAD = { status: 200, statusText: '', headers: [] }

describe.each(STREAMING)('a stream of %s', (_, request, outputs) => {
  it('that is made of an output means that output', () => {
    fc.assert(
      fc.property(outputs, output => {
        const { head, chunks } = answerOf(request, output)
        expect(request.streams).toBe(true)
        expect(outputOf(request, head, bytesOf(chunks))).toEqual(output)
        // Servers that do not say what they send.
        expect(outputOf(request, HEAD, bytesOf(chunks))).toEqual(output)
      }),
    )
  })

  it('that ends anywhere means what was said so far, and raises nothing', () => {
    fc.assert(
      fc.property(outputs, fc.nat(), (output, at) => {
        const { head, chunks } = answerOf(request, output)
        const bytes = bytesOf(chunks)
        const cut = bytes.subarray(0, at % (bytes.length + 1))
        const told = outputOf(request, head, Buffer.from(cut.toString('utf8')))
        expect(typeof told).toBe('object')
      }),
    )
  })

  it('that makes no sense raises nothing, and touches no prototype', () => {
    fc.assert(
      fc.property(fc.array(nonsense, { maxLength: 5 }), events => {
        const body = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
        const head = { ...HEAD, headers: [['content-type', 'text/event-stream'] as const] }
        expect(failureOf(request, head, body)).toSatisfy(
          one => one === null || typeof one.message === 'string',
        )
        const output = outputOf(request, head, body)
        expect(Object.getPrototypeOf(output)).toBe(Object.prototype)
        expect(answerOf(request, output).chunks.length).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('that was refused is read as the one answer that it is', () => {
    const body = '{"error":{"message":"no"}}'
    const head = { ...HEAD, status: 400, headers: [['Content-Type', 'application/json'] as const] }
    expect(outputOf(request, head, body)).toEqual(JSON.parse(body))
  })
})

describe('an early break', () => {
  const until = (request: ReadRequest, output: object, mark: string): Json => {
    const { head, chunks } = answerOf(request, output as Json)
    const whole = bytesOf(chunks).toString()
    return outputOf(request, head, whole.slice(0, whole.indexOf(mark)))
  }
  const [, chatRequest] = STREAMING[0]!
  const [, responses] = STREAMING[2]!
  const [, anthropicRequest] = STREAMING[3]!

  it('keeps the text of a chat completion', () => {
    expect(until(chatRequest, CHAT, '{"tool_calls"')).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'It is shipped.' }, finish_reason: null }],
    })
  })

  it('keeps the text of a response, and what it cites', () => {
    const [reasoning, said] = RESPONSE.output
    expect(until(responses, RESPONSE, 'event: response.output_text.done')).toEqual({
      ...RESPONSE,
      status: 'in_progress',
      usage: null,
      output: [reasoning, { ...said, status: 'in_progress' }],
    })
  })

  it('keeps the input of a tool as far as it came', () => {
    const stream = [
      { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 't', name: 'n', input: {} },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"ord' } },
    ]
    const body = stream.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
    expect(outputOf(anthropicRequest, HEAD, body)).toEqual({
      ...MESSAGE,
      stop_reason: null,
      content: [{ type: 'tool_use', id: 't', name: 'n', input: '{"ord' }],
    })
  })
})

describe('a stream as servers send it', () => {
  const assembled = (request: ReadRequest, events: readonly object[]): Json =>
    outputOf(
      request,
      HEAD,
      `${events.map(event => `data: ${JSON.stringify(event)}\r\n\r\n`).join('')}data: [DONE]`,
    )

  it('joins the pieces of a chat completion: texts, arguments by index, log probabilities', () => {
    const chunk = (delta: object, rest: object = {}) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: null, ...rest }],
      usage: null,
    })
    const call = (index: number, rest: object) => chunk({ tool_calls: [{ index, ...rest }] })
    expect(
      assembled(STREAMING[0]![1], [
        { id: '', object: '', model: '', choices: [], prompt_filter_results: [] },
        chunk({ role: 'assistant', content: '', refusal: null }),
        chunk({ role: 'assistant', content: 'It ' }, { logprobs: { content: [{ token: 'It' }] } }),
        chunk({ content: 'is' }, { logprobs: { content: [{ token: 'is' }] } }),
        chunk({ reasoning: 'be' }),
        chunk({ reasoning: 'cause' }),
        call(0, { id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        call(0, { function: { arguments: '{"a"' } }),
        call(1, { id: 'b', type: 'custom', custom: { name: 'g', input: 'x' } }),
        call(0, { function: { arguments: ':1}' } }),
        call(1, { custom: { input: 'y' } }),
        chunk({}, { finish_reason: 'tool_calls' }),
        { id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [], usage: { total_tokens: 3 } },
      ]),
    ).toEqual({
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      prompt_filter_results: [],
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'It is',
            refusal: null,
            reasoning: 'because',
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
              { id: 'b', type: 'custom', custom: { name: 'g', input: 'xy' } },
            ],
          },
          logprobs: { content: [{ token: 'It' }, { token: 'is' }] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { total_tokens: 3 },
    })
  })

  it('takes nothing twice from servers that say all so far in each chunk, and leaves padding out', () => {
    const chunk = (delta: object, message: object) => ({
      model: 'm',
      choices: [{ index: 0, delta, message, finish_reason: null }],
      obfuscation: 'xyz',
    })
    const events = [
      chunk({ role: 'assistant', content: 'It ' }, { role: 'assistant', content: 'It ' }),
      chunk({ content: 'is' }, { role: 'assistant', content: 'It is' }),
    ]
    expect(assembled(STREAMING[0]![1], events)).toEqual({
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'It is' }, finish_reason: null }],
    })
    // One that does not stream at all.
    const whole = {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'a' } }],
    }
    expect(assembled(STREAMING[0]![1], [whole])).toEqual(whole)
  })

  it('merges what a message says at its start with what it says at its end', () => {
    expect(
      assembled(STREAMING[3]![1], [
        {
          type: 'message_start',
          message: { id: 'm', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'ping' },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: { n: 1 } } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
        { type: 'content_block_stop', index: 0 },
        {
          type: 'message_delta',
          delta: { stop_reason: 'end_turn', stop_sequence: null },
          usage: { output_tokens: 5, input_tokens: null },
          context_management: { applied_edits: [] },
        },
        { type: 'message_stop' },
      ]),
    ).toEqual({
      id: 'm',
      content: [{ type: 'text', text: 'ab', citations: [{ n: 1 }] }],
      usage: { input_tokens: 9, output_tokens: 5 },
      stop_reason: 'end_turn',
      stop_sequence: null,
      context_management: { applied_edits: [] },
    })
  })

  it('keeps a member with the name of the prototype', () => {
    const start = '{"type":"message_start","message":{"__proto__":{"a":1},"content":[]}}'
    const output = outputOf(STREAMING[3]![1], HEAD, `data: ${start}`)
    expect(Object.getOwnPropertyDescriptor(output, '__proto__')?.value).toEqual({ a: 1 })
  })

  it('takes the items of a response from its events where the last one has none', () => {
    expect(
      assembled(STREAMING[2]![1], [
        { type: 'response.created', response: { id: 'r', output: [] } },
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', arguments: '' },
        },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '{' },
        { type: 'response.function_call_arguments.delta', output_index: 0, delta: '}' },
        { type: 'response.completed', response: { id: 'r', output: [], status: 'completed' } },
      ]),
    ).toEqual({ id: 'r', status: 'completed', output: [{ type: 'function_call', arguments: '{}' }] })
  })

  it('joins the texts of Google, thoughts apart', () => {
    const said = (parts: object[], rest: object = {}) => ({
      candidates: [{ content: { role: 'model', parts }, ...rest }],
    })
    const call = { functionCall: { name: 'f', args: {} } }
    const request = STREAMING[4]![1]
    const events = [
      said([{ text: 'hm', thought: true }]),
      said([{ text: 'a' }]),
      said([{ text: 'b' }, call]),
      { ...said([{ text: '' }], { finishReason: 'STOP' }), usageMetadata: { totalTokenCount: 3 } },
    ]
    const whole = {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'hm', thought: true }, { text: 'ab' }, call, { text: '' }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { totalTokenCount: 3 },
    }
    expect(assembled(request, events)).toEqual(whole)
    // Without `alt=sse` the same comes as a list.
    expect(outputOf(request, HEAD, JSON.stringify(events))).toEqual(whole)
  })
})

describe('server-sent events', () => {
  it('are read as the standard says', () => {
    const body =
      '\ufeff: hi\nevent: a\ndata: 1\ndata:2\n\nid: 7\nretry: 10\n\ndata\n\nevent: b\r\ndata:  x\r\n\r\ndatax: 1\n\ndata: end'
    expect(readEvents(body)).toEqual([
      { event: 'a', data: '1\n2' },
      { event: null, data: '' },
      { event: 'b', data: ' x' },
      { event: null, data: 'end' },
    ])
  })

  it('are the same with any line ends', () => {
    const line = fc.oneof(fc.constantFrom('', 'data: a', 'data:b', 'event: e', ': c', 'data'), text)
    fc.assert(
      fc.property(fc.array(line.map(one => one.replace(/[\r\n]/g, ''))), lines => {
        const [lf, crlf, cr] = ['\n', '\r\n', '\r'].map(end => readEvents(lines.join(end)))
        expect(crlf).toEqual(lf)
        expect(cr).toEqual(lf)
      }),
    )
  })
})
