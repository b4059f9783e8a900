import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import { writeJson } from '../../../src/json/write-json.ts'
import { redact as redactBy } from '../../../src/trace/redact.ts'
import { strongProfile } from '../../../src/trace/strong-profile.ts'
import { arbitraryJson } from '../json/arbitrary-json.ts'
import { PROSE, SECRET_TEXTS } from './secret-texts.ts'

const redact = (value: Json) => redactBy(value, strongProfile)
const hidden = (value: Json): string => writeJson(redact(value).value)

describe('the strong redaction', () => {
  it.each(SECRET_TEXTS)('hides %s in a text, and nothing around it', (kind, secret) => {
    for (const [before, after] of [
      ['', ''],
      ['key ', ' of mine.'],
      ['密', '本'],
      ['("', '")'],
    ] as const) {
      const shown = hidden(`${before}${secret}${after}`)
      expect(shown, kind).toContain('[REDACTED]')
      expect(shown, kind).not.toContain(secret)
      expect(shown.startsWith(writeJson(before).slice(0, -1)), shown).toBe(true)
    }
  })

  it.each(PROSE)('leaves %s as it is', text => {
    expect(redact(text)).toEqual({ value: text, findings: [] })
  })

  it('hides values by their names, also where the compatible profile does not know them', () => {
    const names = `token api_key x-api-key X-Goog-Api-Key openai_api_key OPENAI_KEY secret_key stripeSecretKey aws_secret_access_key
      awsSessionToken x-amz-security-token github_token GH_PAT id_token csrfToken client_secret webhook_secret app_secret PGPASSWORD
      db_password MYSQL_PWD passphrase private_key signing_key set-cookie jwt proxy-authorization Ocp-Apim-Subscription-Key`
    for (const name of names.split(/\s+/))
      expect(hidden({ [name]: 'a1=b2c3' }), name).toBe(`{"${name}":"[REDACTED]"}`)
  })

  it('leaves what counts, pages, asks, describes or tells likelihoods', () => {
    const plain: Json[] = [
      {
        max_tokens: 5,
        prompt_tokens: 1,
        token_count: 3,
        tokens: ['a', 'b'],
        tokenizer: 'o200k',
        cost_per_token: '0.1',
      },
      {
        next_page_token: 'CAUQAA',
        nextPageToken: 'CAUQAA',
        primary_key: 'id',
        cache_key: 'a-1',
        public_key: 'ssh-rsa',
      },
      { has_password: 'no', password: null, secret: false, api_key: '', reset_password: 'by mail' },
      {
        properties: {
          password: { type: 'string', description: 'their password' },
          token: { type: 'string' },
          secret: { type: ['string', 'null'], not: { const: '' }, 'x-order': 1 },
        },
      },
      { prior_authorization: 'approved', credentials: 'same-origin' },
      { content: [{ token: 'Hello', logprob: -0.1, bytes: [72] }] },
      { cookie: 'chocolate chip', signature: 'EqQBCkgIARAB', idempotency_key: 'abc123' },
      ['password', 'reset', 'token'],
      [
        ['token', 'a word'],
        ['name', 'value'],
      ],
    ]
    for (const value of plain) expect(redact(value)).toEqual({ value, findings: [] })
  })

  it('hides what stands beside its name', () => {
    expect(
      hidden([
        ['x-api-key', 'abc'],
        ['accept', 'text'],
      ]),
    ).toBe('[["x-api-key","[REDACTED]"],["accept","text"]]')
    expect(hidden(['node', 'a.js', '--api-key', 'abc', '--out', 'x'])).toBe(
      '["node","a.js","--api-key","[REDACTED]","--out","x"]',
    )
    expect(hidden({ name: 'DB_PASSWORD', value: 'x' })).toBe('{"name":"DB_PASSWORD","value":"[REDACTED]"}')
    expect(hidden({ key: 'session_token', before: 'a', after: 'b' })).toBe(
      '{"key":"session_token","before":"[REDACTED]","after":"[REDACTED]"}',
    )
  })

  it('hides secrets that are names, and keeps both members', () => {
    expect(hidden({ 'sk-abcdefgh12345': 1, plain: 2, 'sk-abcdefgh12346': 3 })).toBe(
      '{"[REDACTED]":1,"plain":2,"2 [REDACTED]":3}',
    )
    expect(hidden({ '2 sk-abcdefgh12345': 0, 'sk-abcdefgh12345': 1, 'sk-abcdefgh12346': 2 })).toBe(
      '{"2 [REDACTED]":0,"[REDACTED]":1,"3 [REDACTED]":2}',
    )
  })

  it('hides settings whose values are words, as settings are no code', () => {
    expect(hidden('DB_PASSWORD=postgrespassword\nSECRET=mysecret')).toBe(
      '"DB_PASSWORD=[REDACTED]\\nSECRET=[REDACTED]"',
    )
    expect(hidden('curl -u me:12three https://a.example')).toBe('"curl -u me:[REDACTED] https://a.example"')
  })

  it('changes nothing and finds nothing the second time, and keeps the order of members', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.constantFrom(...SECRET_TEXTS.map(([, secret]) => secret)),
        fc.constantFrom(...PROSE),
        fc.constantFrom(
          'password=',
          'token: ',
          '"api_key":"',
          'Bearer ',
          '--token ',
          '[REDACTED]',
          '"',
          ' ',
          '&',
          ';',
          '://',
          '@',
        ),
        fc.string({ maxLength: 6 }),
      ),
      { maxLength: 6 },
    )
    const text = pieces.map(parts => parts.join(''))
    const name = fc.oneof(text, fc.constantFrom('password', 'token', 'API-Key', 'name', 'value', 'cookie'))
    const value = fc.oneof(text, arbitraryJson, fc.dictionary(name, text), fc.array(text))
    fc.assert(
      fc.property(fc.dictionary(name, value), given => {
        const once = redact(given as Json).value
        expect(redact(once)).toEqual({ value: once, findings: [] })
        expect(Object.keys(once as object).length).toBe(Object.keys(given).length)
      }),
      { numRuns: 2000 },
    )
    expect(hidden({ z: 1, token: 'x', a: { secret: 1, b: 2 } })).toBe(
      '{"z":1,"token":"[REDACTED]","a":{"secret":"[REDACTED]","b":2}}',
    )
  })

  it('takes time in proportion to a hostile text, not to its square', () => {
    const many = (text: string): string => text.repeat(Math.ceil(500_000 / text.length))
    const hostile = [
      ...[
        'sk-',
        'sk-a',
        'AKIA',
        'eyJaaaaaaaa.',
        'eyJ',
        'a-',
        'a.',
        '-',
        '=',
        'token=',
        'token: ',
        '"token":"',
        'token:"a',
        'Bearer ',
      ],
      ...[
        'basic ',
        '://',
        'a://b:',
        'a://',
        'a',
        'aA1',
        '--token ',
        '-----BEGIN PRIVATE KEY-----',
        '-----BEGIN ',
        'cookie: a',
        '-u a:',
      ],
      ...[
        '\\"',
        ' ',
        "password='",
        'xoxb-',
        'SG.aaaaaaaaaaaaaaaa.',
        '1234567:AA',
        'M',
        'atlasv1.',
        '0Q~',
        'key-',
        'Set-Cookie:',
        '@',
        '-- ',
      ],
    ].map(many)
    const a = 'a1'.repeat(250_000)
    const kinds = Array.from({ length: 10_000 }, (_, i) => `ghp_abcd1234${i} password="hunter${i}z" `)
    const names = Array.from({ length: 5000 }, (_, i) => [`ghp_abcd1234${i}`, 1])
    const more = [`-u x:${a}`, `password="${a}`, kinds.join(''), Object.fromEntries(names) as Json]
    for (const text of [...hostile, ...more]) {
      const start = performance.now()
      redact(text)
      expect(performance.now() - start, writeJson(text).slice(0, 30)).toBeLessThan(5000)
    }
  })
})
