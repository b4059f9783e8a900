import { describe, expect, it } from 'vitest'
import { found, judge, type Live } from './judging.ts'

const desk = [
  { name: 'order_status', input: { id: 'A-17' }, result: { state: 'delivered' } },
  { name: 'issue_refund', input: { id: 'A-17', amount: 42.5 }, result: { ref: 'R-9' } },
  { name: 'model:gpt', input: { messages: [{ role: 'user', content: 'thanks' }] }, result: 'welcome' },
]

describe('a run in which every call matched', () => {
  const matched = judge(desk, live => {
    for (const number of [1, 2, 3]) live.matches(number)
    live.completes()
  })

  it('has matched, exit 0, output equal', () => {
    expect(matched).toMatchObject({ verdict: 'matched', exitCode: 0, divergences: [], liveCalls: 0 })
    expect(matched.output).toEqual({ compared: true, equal: true, answersAreRecorded: true, differences: [] })
  })

  it('counts each call once', () => {
    expect(matched.totals).toEqual({
      recorded: 3,
      matched: 3,
      changed: 0,
      reordered: 0,
      missing: 0,
      extra: 0,
      refused: 0,
      executed: 0,
    })
    expect(matched.calls.map(call => [call.number, call.live, call.verdict, call.answer])).toEqual([
      [1, 1, 'matched', 'recorded'],
      [2, 2, 'matched', 'recorded'],
      [3, 3, 'matched', 'recorded'],
    ])
  })
})

describe('a call that differs', () => {
  it('in its input: where, the recorded value, the live one, and the line', () => {
    const { divergences, totals, exitCode } = judge(desk, live => {
      live.matches(1)
      live.changes(2, { id: 'A-17', amount: 43.5 })
      live.matches(3)
      live.completes()
    })
    expect(divergences).toMatchObject([
      {
        kind: 'changed-input',
        call: 2,
        live: 2,
        label: 'issue_refund',
        root: true,
        differences: [{ path: '/amount', change: 'changed', recorded: 42.5, actual: 43.5 }],
        recorded: { amount: 42.5 },
        actual: { amount: 43.5 },
        source: { file: 'agent.ts' },
      },
    ])
    expect(totals).toMatchObject({ matched: 2, changed: 1 })
    expect(exitCode).toBe(1)
  })

  it('in whom it asks', () => {
    const { divergences, totals } = judge(desk, live => {
      live.matches(1)
      live.made('issue_credit', desk[1]!.input, { call: 2, verdict: 'changed-target', answer: 'lend' })
      live.matches(3)
      live.completes()
    })
    expect(divergences).toMatchObject([
      { kind: 'changed-target', label: 'issue_credit', facts: { recordedLabels: ['issue_refund'] } },
    ])
    expect(totals).toMatchObject({ changed: 1, matched: 2 })
  })

  it('in its place: a late one names the call that it came after', () => {
    const run = judge(desk, live => {
      live.matches(2)
      live.fact({ kind: 'given-up', call: 1, forLive: 1 })
      live.matches(1)
      live.matches(3)
      live.completes()
    })
    expect(found(run)).toEqual(['reordered 1'])
    expect(run.divergences[0]!.facts).toEqual({ before: 2 })
    expect(run.totals).toMatchObject({ matched: 2, reordered: 1, missing: 0 })
  })

  it('in its place: one that overtook several is one finding, on itself', () => {
    const run = judge(desk, live => {
      live.matches(3)
      live.fact({ kind: 'given-up', call: 1, forLive: 1 })
      live.fact({ kind: 'given-up', call: 2, forLive: 1 })
      live.matches(1)
      live.matches(2)
      live.completes()
    })
    expect(found(run)).toEqual(['reordered 3'])
    expect(run.divergences[0]!.facts).toEqual({ after: 2 })
  })

  it('in its place, where its order does not count, is no difference', () => {
    const run = judge(desk, live => {
      live.matches(2)
      live.fact({ kind: 'given-up', call: 1, forLive: 1 })
      live.matches(1, { order: 'any' })
      live.matches(3)
      live.completes()
    })
    expect(found(run)).toEqual([])
    expect(run.totals).toMatchObject({ matched: 3, reordered: 0 })
  })

  it('in not waiting for an answer', () => {
    const run = judge(desk, live => {
      live.matches(1)
      live.matches(2, { hastyBefore: 1 })
      live.matches(3)
      live.completes()
    })
    expect(run.divergences).toMatchObject([{ kind: 'not-awaited', call: 2, facts: { before: 1 } }])
    expect(run.totals).toMatchObject({ reordered: 1, matched: 2 })
  })
})

describe('a call that the recording does not have', () => {
  const run = judge(desk, live => {
    live.matches(1)
    live.refused('notify', { to: 'owner' })
    live.matches(2)
    live.matches(3)
    live.completes()
  })

  it('is extra: named with the tools that there are, the call it came after, and what the agent made of it', () => {
    expect(run.divergences).toMatchObject([
      {
        kind: 'extra',
        call: null,
        live: 2,
        actual: { to: 'owner' },
        facts: { recordedLabels: ['order_status', 'issue_refund', 'openai/gpt'], after: 1, swallowed: true },
      },
    ])
  })

  it('stands in the list where it was made, without a number', () => {
    expect(run.calls.map(call => [call.number, call.live, call.verdict, call.answer])).toEqual([
      [1, 1, 'matched', 'recorded'],
      [null, 2, 'extra', 'refused'],
      [2, 3, 'matched', 'recorded'],
      [3, 4, 'matched', 'recorded'],
    ])
    expect(run.totals).toMatchObject({ recorded: 3, matched: 3, extra: 1, refused: 0 })
  })

  it('is exhausted when the recording has it, but fewer times: counted by its input, not by its name', () => {
    const polls = [
      { name: 'poll', input: { job: 1 } },
      { name: 'poll', input: { job: 1 } },
      { name: 'poll', input: { job: 2 } },
    ]
    const again = judge(polls, live => {
      for (const number of [1, 2, 3]) live.matches(number)
      live.refused('poll', { job: 1 }, { verdict: 'exhausted' })
      live.completes()
    })
    expect(again.divergences).toMatchObject([{ kind: 'exhausted', facts: { recordedTimes: 2, after: 3 } }])
    expect(again.totals).toMatchObject({ matched: 3, extra: 1 })
  })

  it('tried three times in a row it is one divergence, with another input in between it is three', () => {
    const tried = (...inputs: readonly string[]) =>
      judge(desk, live => {
        for (const number of [1, 2, 3]) live.matches(number)
        for (const to of inputs) live.refused('notify', { to })
        live.completes()
      })
    expect(found(tried('a', 'a', 'a'))).toEqual(['extra live 4 x3'])
    expect(found(tried('a', 'b', 'a'))).toEqual(['extra live 4', 'extra live 5', 'extra live 6'])
    expect(tried('a', 'a', 'a').totals.extra).toBe(3)
  })

  it('that lost its borrowed answer to the very call says whose it had', () => {
    const lent = judge(desk, live => {
      live.changes(1, { id: 'B-1' })
      live.matches(1)
      live.fact({ kind: 'taken-back', call: 1, fromLive: 1, byLive: 2 })
      live.matches(2)
      live.matches(3)
      live.completes()
    })
    expect(found(lent)).toEqual(['extra live 1'])
    expect(lent.divergences[0]!.facts).toMatchObject({ lentFrom: 1 })
  })
})

describe('after two equal calls that were open at the same time', () => {
  const polls = [
    { name: 'poll', input: { job: 7 }, isSlow: true },
    { name: 'poll', input: { job: 7 } },
    { name: 'use', input: { state: 1 } },
    { name: 'stop', input: { state: 2 } },
  ]
  const withPolls = (rest: (live: Live) => void) =>
    judge(polls, live => {
      live.matches(1)
      live.matches(2)
      rest(live)
      live.completes()
    })

  it.each<[string, (live: Live) => void]>([
    ['another input', live => [live.changes(3, { state: 2 }), live.matches(4)]],
    ['a call that is missing', live => live.matches(3)],
    ['a call too many', live => [live.matches(3), live.matches(4), live.refused('again', {})]],
  ])('%s may come from their answers, which the recording cannot tell apart', (_what, rest) => {
    expect(withPolls(rest).divergences.map(({ facts }) => facts.ambiguous)).toEqual([true])
  })

  it('one after the other nothing is ambiguous', () => {
    const inSequence = polls.map(({ isSlow: _, ...call }) => call)
    const run = judge(inSequence, live => {
      for (const number of [1, 2]) live.matches(number)
      live.changes(3, { state: 2 })
      live.matches(4)
      live.completes()
    })
    expect(run.divergences.map(({ facts }) => facts.ambiguous)).toEqual([undefined])
  })
})
