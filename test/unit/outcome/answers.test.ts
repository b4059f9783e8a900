import { describe, expect, it } from 'vitest'
import { found, judge } from './judging.ts'

const desk = [
  { name: 'order_status', input: { id: 'A-17' }, result: { state: 'delivered' } },
  { name: 'issue_refund', input: { id: 'A-17', amount: 42.5 }, result: { ref: 'R-9' } },
  { name: 'model:gpt', input: { messages: [{ role: 'user', content: 'thanks' }] }, result: 'welcome' },
]

describe('a call that ran for real', () => {
  it('is executed, and its input is not held against it', () => {
    const run = judge(
      desk.slice(0, 1).map(call => ({ ...call, treatment: 'run' as const })),
      live => {
        live.changes(1, { id: 'B-1' }, { answer: 'run' })
        live.completes()
      },
      { mode: 'hybrid', live: ['order_status', 'nobody'] },
    )
    expect(run).toMatchObject({
      verdict: 'matched',
      liveCalls: 1,
      totals: { executed: 1, matched: 1, changed: 0 },
    })
    expect(run.output.answersAreRecorded).toBe(false)
    expect(run.calls[0]).toMatchObject({ answer: 'executed', servedFrom: null })
    expect(run.notes).toEqual([
      { code: 'executed-other-input', detail: '1 order_status' },
      { code: 'live-unused', detail: 'nobody' },
    ])
  })

  it('is extra all the same when the recording does not have it', () => {
    const run = judge(
      [],
      live => {
        live.made('notify', {}, { verdict: 'extra', answer: 'run' })
        live.completes()
      },
      { mode: 'hybrid', live: ['notify'] },
    )
    expect(run.totals).toMatchObject({ extra: 1, executed: 1 })
    expect(run.divergences[0]!.facts).toMatchObject({ swallowed: false })
  })
})

describe('the list of calls', () => {
  it('names for each call the earliest that was still open', () => {
    const run = judge(
      [{ name: 'a', isSlow: true }, { name: 'b', isSlow: true }, { name: 'c' }, { name: 'd' }],
      live => {
        for (const number of [1, 2, 3, 4]) live.matches(number)
        live.completes()
      },
    )
    expect(run.calls.map(({ overlaps }) => overlaps)).toEqual([null, 1, 1, null])
  })

  it('has a short text of each input', () => {
    const run = judge(desk, live => live.completes())
    expect(run.calls.map(({ summary }) => summary)).toEqual([
      '{"id": "A-17"}',
      '{"id": "A-17", "amount": 42.5}',
      '1 message',
    ])
  })
})

describe('a connection that was refused', () => {
  it('is blocked, outside the totals', () => {
    const run = judge(desk.slice(0, 1), live => {
      live.matches(1)
      live.fact({ kind: 'blocked', at: 2, what: 'api.example.com:443', site: null })
      live.completes()
    })
    expect(run.divergences).toMatchObject([{ kind: 'blocked', label: 'api.example.com:443' }])
    expect(run.totals).toMatchObject({ matched: 1, refused: 0, extra: 0 })
    expect(run.exitCode).toBe(1)
  })
})

describe('a call that is refused though it is recorded', () => {
  it.each([
    ['refused', { mode: 'forbidden' as const }, { by: 'mode' }],
    ['refused', {}, { by: 'policy', policy: 'frozen' }],
  ])('by mode or policy: %s', (verdict, setting, facts) => {
    const run = judge(
      desk.slice(0, 1),
      live => {
        live.refused('order_status', { id: 'A-17' }, { call: 1, verdict: verdict as 'refused' })
        live.completes()
      },
      setting,
    )
    expect(run.divergences).toMatchObject([{ kind: 'refused', call: 1, facts }])
    expect(run.totals).toMatchObject({ refused: 1, missing: 0, extra: 0 })
  })

  it.each(['no-result', 'altered-recording'] as const)('as %s', verdict => {
    const run = judge(desk.slice(0, 1), live => {
      live.refused('order_status', { id: 'A-17' }, { call: 1, verdict })
      live.completes()
    })
    expect(found(run)).toEqual([`${verdict} 1`])
    expect(run.totals).toMatchObject({ refused: 1 })
  })

  it('as no-result when the run could only wait for an answer that was never recorded', () => {
    const run = judge(desk.slice(0, 1), live => {
      const waiting = live.matches(1, { answer: 'pending' })
      live.fact({ kind: 'unanswered', live: waiting })
      live.completes()
    })
    expect(found(run)).toEqual(['no-result 1'])
  })

  it('counts as what it is also where the refusal consumed no recorded call', () => {
    const run = judge(desk.slice(0, 1), live => {
      live.refused('order_status', { id: 'A-17' }, { verdict: 'altered-recording' })
      live.completes()
    })
    expect(run.calls.map(({ verdict }) => verdict)).toEqual(['altered-recording', 'missing'])
    expect(run.totals).toMatchObject({ refused: 1, missing: 1, extra: 0 })
  })
})

describe('a recorded call that was not made', () => {
  it('is missing, with the call it was expected after and the line it was recorded at', () => {
    const run = judge(
      desk.map((call, index) => (index === 1 ? { ...call, site: 'desk.ts:36:11' } : call)),
      live => {
        live.matches(1)
        live.matches(3)
        live.completes()
      },
    )
    expect(run.divergences).toMatchObject([
      { kind: 'missing', call: 2, live: null, facts: { after: 1, recordedSite: 'desk.ts:36:11' } },
    ])
    expect(run.calls[1]).toMatchObject({ number: 2, live: null, verdict: 'missing', answer: 'none' })
  })

  it('inside the body of another is not expected, unless that body runs', () => {
    const nested = [{ name: 'plan' }, { name: 'search', inside: 1 }]
    const outerOnly = (more = {}) =>
      judge([{ ...nested[0]!, ...more }, nested[1]!], live => {
        live.matches(1)
        live.completes()
      })
    expect(outerOnly()).toMatchObject({ verdict: 'matched', totals: { recorded: 1 } })
    expect(found(outerOnly({ treatment: 'run' }))).toEqual(['missing 2'])
  })
})
