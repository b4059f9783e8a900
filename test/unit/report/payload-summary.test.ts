import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/json/value.ts'
import { answerSummary, requestSummary } from '../../../src/report/payload-summary.ts'

const PLAIN = { unicode: true } as const

describe('a request over HTTP in a report', () => {
  it.each<[Json, string]>([
    [{ path: '/now', query: { city: 'Lisbon', n: ['1', '2'] } }, '/now?city=Lisbon&n=1&n=2'],
    [{ path: '/orders', body: { id: 7 } }, '/orders {"id": 7}'],
    [{ path: '/orders', form: { id: '7' } }, '/orders {"form": {"id": "7"}}'],
    [{ path: '/\u001b[31m', query: { q: '\u202e' } }, '/\\u001b[31m?q=\\u202e'],
  ])('is its address and what it sent: %j', (input, text) => {
    expect(requestSummary('http POST shop.example', input, PLAIN)).toBe(text)
  })

  it('is answered by a status and a body, without headers', () => {
    const output = { status: 200, headers: { 'content-type': 'application/json' }, body: { celsius: 24 } }
    expect(answerSummary(`http GET \${WEATHER_URL}`, output, PLAIN)).toBe('200 {"celsius": 24}')
    expect(answerSummary('http DELETE shop.example', { status: 204 }, PLAIN)).toBe('204')
  })

  it('is not looked for in what a tool of another name was given', () => {
    expect(requestSummary('open', { path: '/etc/hosts' }, PLAIN)).toBeNull()
    expect(answerSummary('open', { status: 200 }, PLAIN)).toBeNull()
    expect(requestSummary('http GET x', { file: '/etc/hosts' }, PLAIN)).toBeNull()
  })
})
