import { describe, expect, it } from 'vitest'
import { redactBody, redactHeaders, redactUrl } from '../../../src/trace/redact-http.ts'
import { createRedactor } from '../../../src/trace/redactor.ts'
import { PROSE, SECRET_TEXTS } from './secret-texts.ts'

const strong = createRedactor('strong')
const compatible = createRedactor('compatible')

describe('the body of an HTTP exchange', () => {
  it('is the very text when it holds no secret, whatever its spacing and numbers', () => {
    for (const text of [
      '{"a": 1.0,\n "b":[1e3]}',
      '',
      'plain',
      '[',
      '{"a":',
      'data: {"a": 1.0}\r\n\r\n',
      ...PROSE,
    ]) {
      for (const type of [
        null,
        'application/json',
        'text/event-stream',
        'text/plain',
        'application/x-ndjson',
      ]) {
        expect(redactBody(text, type, strong), `${type}`).toBe(text)
      }
    }
  })

  it('loses secrets by name and by pattern in JSON', () => {
    const body = '{"model": "m", "token": "abc", "messages": [{"content": "use ghs_abcdefgh1234 now"}]}'
    expect(redactBody(body, 'application/json; charset=utf-8', strong)).toBe(
      '{"model":"m","token":"[REDACTED]","messages":[{"content":"use [REDACTED] now"}]}',
    )
  })

  it('loses them in each event of a stream, and keeps the others as they came', () => {
    const body =
      'event: a\ndata: {"text": "hi"}\n\ndata: {"token": "abc"}\r\n\r\ndata:{"password":"x"}\n\ndata: [DONE]\n\n'
    expect(redactBody(body, 'text/event-stream', strong)).toBe(
      'event: a\ndata: {"text": "hi"}\n\ndata: {"token":"[REDACTED]"}\r\n\r\ndata:{"password":"[REDACTED]"}\n\ndata: [DONE]\n\n',
    )
  })

  it('loses them in a form, in a list of lines, and in plain text', () => {
    expect(
      redactBody('user=b&client_secret=x&a=sk-abcdefgh12', 'application/x-www-form-urlencoded', strong),
    ).toBe('user=b&client_secret=[REDACTED]&a=[REDACTED]')
    expect(redactBody('{"token":"a"}\n{"b":1}\n', 'application/x-ndjson', strong)).toBe(
      '{"token":"[REDACTED]"}\n{"b":1}\n',
    )
    expect(redactBody('see https://u:pw1@h/', 'text/html', strong)).toBe('see https://u:[REDACTED]@h/')
  })

  it('keeps to the compatible profile where that is asked for', () => {
    expect(redactBody('{"token":"abc","password":"x"}', 'application/json', compatible)).toBe(
      '{"token":"abc","password":"[REDACTED]"}',
    )
  })

  it.each(SECRET_TEXTS)('hides %s in every kind of body', (_, secret) => {
    const json = JSON.stringify({ text: `a ${secret} b` })
    for (const [text, type] of [
      [json, 'application/json'],
      [`data: ${json}\n\n`, 'text/event-stream'],
      [json.slice(0, -1), null],
    ] as const) {
      expect(redactBody(text, type, strong)).toBe(
        text.replace(JSON.stringify(secret).slice(1, -1), '[REDACTED]'),
      )
    }
  })
})

describe('headers and addresses', () => {
  it('lose the values of headers that carry credentials', () => {
    const secret = `Authorization Proxy-Authorization cookie Set-Cookie x-api-key api-key X-Goog-Api-Key x-amz-security-token
      X-Auth-Token Ocp-Apim-Subscription-Key x-shopify-access-token`
    for (const name of secret.split(/\s+/))
      expect(redactHeaders([[name, 'a']])).toEqual([[name, '[REDACTED]']])
    const plain = [
      ['content-type', 'text/plain'],
      ['x-ratelimit-remaining-tokens', '5'],
      ['sec-websocket-key', 'a'],
      ['idempotency-key', 'b'],
    ] as const
    expect(redactHeaders(plain)).toBe(plain)
  })

  it('lose the user, and the values of secret parameters', () => {
    expect(redactUrl('https://me:pw@h.io:1/a?api_key=x&page=2&X-Amz-Signature=3#top')).toBe(
      'https://[REDACTED]@h.io:1/a?api_key=[REDACTED]&page=2&X-Amz-Signature=[REDACTED]#top',
    )
    expect(redactUrl('/v1?key=x&sort=key&next_page_token=abc')).toBe(
      '/v1?key=[REDACTED]&sort=key&next_page_token=abc',
    )
    expect(redactUrl(`https://api.telegram.org/bot123456789:AA${'a1'.repeat(17)}/send`)).not.toContain('a1a1')
    for (const plain of ['https://h/a?b=c', '/a', '', 'https://h/@scope/name', '%'])
      expect(redactUrl(plain)).toBe(plain)
  })
})
