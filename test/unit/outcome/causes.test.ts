import { describe, expect, it } from 'vitest'
import { found, judge } from './judging.ts'

const chat = (text: string) => ({ messages: [{ role: 'system', content: text }] })

describe('one cause first: what follows from it is folded', () => {
  it('the same difference again in a later prompt', () => {
    const run = judge(
      [
        { name: 'model:gpt', input: chat('up to 50 EUR') },
        { name: 'search', input: { q: 1 } },
        { name: 'model:gpt', input: chat('up to 50 EUR') },
      ],
      live => {
        live.changes(1, chat('up to 80 EUR'))
        live.matches(2)
        live.changes(3, chat('up to 80 EUR'))
        live.completes()
      },
    )
    expect(found(run)).toEqual(['changed-input 1', 'changed-input 3 < 0'])
    expect(run.divergences.map(({ root }) => root)).toEqual([true, false])
  })

  it('a changed value that went into a later text, and into the output', () => {
    const run = judge(
      [
        { name: 'refund', input: { amount: 42.5 } },
        { name: 'mail', input: { body: 'You get 42.5 EUR back' } },
      ],
      live => {
        live.changes(1, { amount: 43.5 })
        live.changes(2, { body: 'You get 43.5 EUR back' })
        live.completes('sent: You get 43.5 EUR back')
      },
      { output: 'sent: You get 42.5 EUR back' },
    )
    expect(found(run)).toEqual(['changed-input 1', 'changed-input 2 < 0', 'output-differs < 0'])
  })

  it('but not a later call that differs in something else besides', () => {
    const run = judge(
      [
        { name: 'refund', input: { amount: 42.5 } },
        { name: 'mail', input: { amount: 42.5, to: 'ann' } },
      ],
      live => {
        live.changes(1, { amount: 43.5 })
        live.changes(2, { amount: 43.5, to: 'bob' })
        live.completes()
      },
    )
    expect(found(run)).toEqual(['changed-input 1', 'changed-input 2'])
  })

  it('an output that lacks what a missing call answered', () => {
    const run = judge(
      [{ name: 'search' }, { name: 'open_ticket', result: { id: 'T-881' } }],
      live => {
        live.matches(1)
        live.completes({ ok: true })
      },
      { output: { ok: true, ticket: 'T-881' } },
    )
    expect(found(run)).toEqual(['missing 2', 'output-differs < 0'])
  })

  it('but not an output that differs in what no missing call answered', () => {
    const run = judge(
      [{ name: 'open_ticket', result: { id: 'T-881' } }, { name: 'log' }],
      live => {
        live.matches(2)
        live.completes({ mood: 'bad' })
      },
      { output: { mood: 'good' } },
    )
    expect(found(run)).toEqual(['missing 1', 'output-differs'])
  })
})

describe('a run that ended early', () => {
  const calls = ['a', 'b', 'c', 'd'].map(name => ({ name }))

  it('by a refusal: the refused call is the cause of the error and of all that was not reached', () => {
    const run = judge(calls, live => {
      live.matches(1)
      const refused = live.refused('new', {})
      live.fails('ReplayMismatchError', 'refused', refused)
    })
    expect(found(run)).toEqual([
      'extra live 2',
      'missing 2 < 0',
      'missing 3 < 0',
      'missing 4 < 0',
      'agent-error < 0',
    ])
  })

  it('by the third try of a refused call: its one divergence is the cause', () => {
    const run = judge(calls.slice(0, 1), live => {
      live.matches(1)
      for (let tries = 0; tries < 2; tries++) live.refused('new', {})
      live.fails('ReplayMismatchError', 'refused', live.refused('new', {}))
    })
    expect(found(run)).toEqual(['extra live 2 x3', 'agent-error < 0'])
  })

  it('by an error of its own: the error is the cause of what was not reached', () => {
    const run = judge(calls, live => {
      live.matches(1)
      live.matches(3)
      live.fails('TypeError', 'x')
    })
    expect(found(run)).toEqual(['missing 2', 'missing 4 < 2', 'agent-error'])
  })

  it('in order: the first call that is missing at the end is the cause of the rest', () => {
    const run = judge(calls, live => {
      live.matches(2)
      live.completes()
    })
    expect(found(run)).toEqual(['missing 1', 'missing 3', 'missing 4 < 1'])
  })
})
