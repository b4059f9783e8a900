import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerOf } from '../../../src/dialect/answer-of.ts'
import { failureAnswerOf } from '../../../src/dialect/failure-answer.ts'
import { failureOf } from '../../../src/dialect/failure-of.ts'
import { outputOf } from '../../../src/dialect/output-of.ts'
import { refusalAnswer } from '../../../src/dialect/refusal-answer.ts'
import { retrySoon } from '../../../src/dialect/retry-soon.ts'
import { isStreamedType } from '../../../src/dialect/streamed-type.ts'
import { suitsRequest } from '../../../src/dialect/suits-request.ts'
import { telemetryAnswer } from '../../../src/dialect/telemetry-answer.ts'
import type { Json } from '../../../src/json/value.ts'
import type { ExchangeHead } from '../../../src/trace/exchange.ts'
import { bytesOf, read } from './exchanges.ts'

const messages: Json = []
const chat = read('http://x/v1/chat/completions', { body: { model: 'm', messages } })
const chatStream = read('http://x/v1/chat/completions', { body: { model: 'm', messages, stream: true } })
const anthropic = read('http://x/v1/messages', { body: { model: 'm', messages, max_tokens: 1 } })
const google = read('http://x/v1beta/models/m:generateContent', { body: { contents: [] } })
const ollama = read('http://x/api/chat', { body: { model: 'm', messages, stream: false } })
const plain = read('http://x/a', { method: 'GET' })

const head = (status: number, headers: { [name: string]: string } = {}): ExchangeHead => ({
  status,
  statusText: '',
  headers: Object.entries(headers),
})

describe('the output of plain HTTP', () => {
  it('is status, body and the headers that programs act upon', () => {
    const headers = {
      Date: 'Tue',
      'Content-Type': 'application/json',
      ETag: '"1"',
      Location: '/b',
      'Set-Cookie': 'sid=secret',
      'X-RateLimit-Remaining': '7',
    }
    expect(outputOf(plain, head(201, headers), '{"a":1}')).toEqual({
      status: 201,
      headers: { 'content-type': 'application/json', etag: '"1"', location: '/b' },
      body: { a: 1 },
    })
  })

  it('is a status alone where there is no body', () => {
    expect(outputOf(plain, head(204), null)).toEqual({ status: 204 })
    expect(outputOf(plain, head(204), new Uint8Array())).toEqual({ status: 204 })
  })

  it('is a result, whatever the status', () => {
    expect(failureOf(plain, head(404), 'no')).toBeNull()
    expect(outputOf(plain, head(404), 'no')).toEqual({ status: 404, body: 'no' })
  })

  it('is made an answer again, byte for byte but for spaces in JSON', () => {
    const body = fc.oneof(
      fc.jsonValue().map(value => Buffer.from(JSON.stringify(value))),
      fc.string({ unit: 'grapheme' }).map(text => Buffer.from(text)),
      fc.uint8Array().map(bytes => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), body, (status, bytes) => {
        const recorded = outputOf(plain, head(status, { 'content-type': 'a/b' }), bytes)
        const answer = answerOf(plain, recorded)
        expect(outputOf(plain, answer.head, bytesOf(answer.chunks))).toEqual(recorded)
        // JSON has many spellings; all else comes back as it was.
        if (typeof (recorded as { body?: Json }).body !== 'object')
          expect(bytesOf(answer.chunks).equals(bytes)).toBe(true)
      }),
    )
  })

  it('says that the body is missing where only its digest was kept', () => {
    const output = outputOf(plain, head(200), new Uint8Array(2_000_000).fill(255))
    const { head: made, chunks } = answerOf(plain, output)
    expect(made.status).toBe(502)
    expect(bytesOf(chunks).toString()).toContain('too large to be kept')
  })
})

describe('the failure of a model call', () => {
  it.each([
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [402, 'APIStatusError'],
    [403, 'PermissionDeniedError'],
    [404, 'NotFoundError'],
    [409, 'ConflictError'],
    [413, 'APIStatusError'],
    [422, 'UnprocessableEntityError'],
    [429, 'RateLimitError'],
    [500, 'InternalServerError'],
    [503, 'InternalServerError'],
    [529, 'InternalServerError'],
  ])('of status %i is named %s', (status, name) => {
    const body = '{"error":{"message":"no"}}'
    expect(failureOf(chat, head(status), body)).toEqual({
      name,
      message: `${status} no`,
      members: { status, body: JSON.parse(body) },
    })
  })

  it.each([
    ['OpenAI', chat, '{"error":{"message":"no","type":"t"}}', '429 no'],
    ['Anthropic', anthropic, '{"type":"error","error":{"type":"t","message":"no"}}', '429 no'],
    ['Google', google, '{"error":{"code":429,"message":"no","status":"S"}}', '429 no'],
    ['Ollama', ollama, '{"error":"no"}', '429 no'],
    ['a gateway', chat, '{"message":"no"}', '429 no'],
    ['a proxy', chat, '<html>no</html>', '429 <html>no</html>'],
    ['nobody', chat, '', '429 status code (no body)'],
  ] as const)('has the message of %s', (_, request, body, message) => {
    expect(failureOf(request, head(429), body)?.message).toBe(message)
  })

  it.each([
    ['OpenAI', 'data: {"error":{"message":"no"}}'],
    ['Anthropic', 'event: error\ndata: {"type":"error","error":{"message":"no"}}'],
    ['responses of OpenAI', 'data: {"type":"error","message":"no"}'],
  ])('is found in the middle of a stream of %s', (_, event) => {
    const body = `data: {"choices":[]}\n\n${event}\n\n`
    expect(failureOf(chatStream, head(200, { 'content-type': 'text/event-stream' }), body)).toMatchObject({
      name: 'APIError',
      message: 'no',
    })
  })

  it('is none where a chunk says that its error is null', () => {
    expect(failureOf(chatStream, head(200), 'data: {"error":null,"choices":[]}')).toBeNull()
    expect(failureOf(chat, head(200), '{"error":null}')).toBeNull()
  })
})

describe('the answer of a recorded failure', () => {
  const shouldRetry = (headers: ExchangeHead['headers']) =>
    headers.find(([name]) => name === 'x-should-retry')?.[1]

  it('is that of the server where status and body were recorded, as one of the tries that were made', () => {
    for (const body of ['{"error":{"message":"no","type":"t"}}', '<html>', '{"a":9007199254740993}'])
      for (const status of [400, 429, 418, 529]) {
        const answer = failureAnswerOf(chat, failureOf(chat, head(status), body)!)!
        expect([answer.head.status, bytesOf(answer.chunks).toString()]).toEqual([status, body])
        expect(shouldRetry(answer.head.headers)).toBeUndefined()
      }
  })

  it.each([
    [
      'RateLimitError',
      `Error code: 429 - {'error': {'message': 'Slow down', 'type': 't'}}`,
      429,
      'Slow down',
    ],
    ['APIStatusError', `Error code: 402 - {'error': {'message': "Don't"}}`, 402, "Don't"],
    ['BadRequestError', 'no such model', 400, 'no such model'],
    ['OverloadedError', '529 {"type":"error","error":{"message":"Overloaded"}}', 529, 'Overloaded'],
    ['APITimeoutError', 'Request timed out.', 504, 'Request timed out.'],
    ['APIConnectionError', 'Connection error.', 503, 'Connection error.'],
  ])('is made of the name %s and the message %s, and is the last one', (name, message, status, words) => {
    const answer = failureAnswerOf(chat, { name, message })!
    expect(answer.head.status).toBe(status)
    expect(JSON.parse(bytesOf(answer.chunks).toString()).error.message).toBe(words)
    expect(shouldRetry(answer.head.headers)).toBe('false')
  })

  it('is none where there was no answer', () => {
    expect(failureAnswerOf(chat, { name: 'TypeError', message: 'fetch failed' })).toBeNull()
    expect(failureAnswerOf(chat, { name: 'constructor', message: '' })).toBeNull()
    expect(
      failureAnswerOf(plain, { name: 'Error', message: '503 x', members: { code: 'ECONNRESET' } }),
    ).toBeNull()
  })

  it('finds the class by its own name where it calls itself an Error', () => {
    const error = { name: 'Error', class: 'RateLimitError', message: 'Slow down' }
    expect(failureAnswerOf(chat, error)?.head.status).toBe(429)
  })
})

describe('answers of our own', () => {
  it('refuse in the words of the provider', () => {
    const bodyFor = (request: typeof chat) =>
      JSON.parse(bytesOf(refusalAnswer(request, 'no').chunks).toString())
    expect(bodyFor(chat)).toEqual({
      error: { message: 'no', type: 'invalid_request_error', param: null, code: 'stepfork_refused' },
    })
    expect(bodyFor(anthropic)).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'no' },
    })
    expect(bodyFor(google)).toEqual({ error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } })
    expect(bodyFor(ollama)).toEqual({ error: 'no' })
    expect(bodyFor(plain)).toEqual({ error: 'no' })
    expect(refusalAnswer(plain, 'no').head).toMatchObject({ status: 400 })
  })

  it('satisfy what sends telemetry', () => {
    expect(telemetryAnswer()).toMatchObject({ layer: 'fetch', head: { status: 200 }, chunks: ['{}'] })
  })

  it('let SDKs try again at once, and leave what programs read', () => {
    const limited = head(429, { 'retry-after': '20', 'Retry-After-Ms': '20000' })
    expect(retrySoon(limited).headers).toEqual([
      ['retry-after', '20'],
      ['retry-after-ms', '1'],
    ])
    for (const status of [200, 400, 404]) expect(retrySoon(head(status))).toEqual(head(status))
  })
})

describe('an answer that was lent', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }
  const events = { 'Content-Type': 'text/event-stream' }
  const googleStream = read('http://x/v1beta/models/m:streamGenerateContent', { body: { contents: [] } })

  it.each([
    ['a stream for one who asked for it', chatStream, head(200, events), true],
    ['a stream for one who did not', chat, head(200, events), false],
    ['one piece for one who asked for a stream', chatStream, head(200, json), false],
    ['one piece for one who did not', chat, head(200, json), true],
    ['an error, which comes whole', chatStream, head(429, json), true],
    ['a list, in which Google streams', googleStream, head(200, json), true],
    ['what does not say what it is', chatStream, head(200), true],
    ['plain HTTP', plain, head(200, events), true],
  ] as const)('can be read or not: %s', (_, request, recorded, suits) => {
    expect(suitsRequest(request, recorded)).toBe(suits)
  })
})

describe('bodies that keep the bounds of their parts', () => {
  it.each([
    'text/event-stream; charset=utf-8',
    'Text/Event-Stream',
    'application/x-ndjson',
    'application/jsonl',
    'application/vnd.amazon.eventstream',
    'application/connect+proto',
  ])('%s', type => expect(isStreamedType(type)).toBe(true))

  it.each(['application/json', 'application/octet-stream', 'text/plain', 'text/event-streams', '', null])(
    'are not %s',
    type => expect(isStreamedType(type)).toBe(false),
  )
})
