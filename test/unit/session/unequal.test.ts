import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

describe('a call that equals none of the recorded ones', () => {
  it('borrows the answer of the next call of the same tool', () => {
    const run = play('+a -a +b -b +c -c')
    run.call('a')
    run.turns()
    expect(run.call('x')).toBe('lend 2')
    expect(run.verdict('x')).toBe('changed-input')
    expect(run.turns()).toBe('-x')
    run.call('c')
    expect(run.turns()).toBe('-c')
  })

  it('borrows only a call whose predecessors are answered', () => {
    const run = play('+search:a -search:a +b -b')
    expect(run.call('x')).toBe('refuse extra')
  })

  it('borrows from another tool that was given this very input', () => {
    const run = play('+search:a -search:a')
    expect(run.call('find:a')).toBe('lend 1')
    expect(run.verdict('find:a')).toBe('changed-target')
  })

  it('prefers the same tool to the same input', () => {
    const run = play('+search:a +find:b -search:a -find:b')
    expect(run.call('find:a')).toBe('lend 2')
  })

  it('is refused in a later turn when there is nothing to borrow', () => {
    const run = play('+a -a')
    expect(run.call('mail:x')).toBe('refuse extra')
    run.call('a')
    expect(run.turns()).toBe('-mail:x refused -a')
  })

  it('is exhausted rather than another tool that was given this very input', () => {
    const run = play('+find:a -find:a +search:a -search:a')
    run.call('find:a')
    run.turns()
    run.call('find:a')
    expect(run.verdict('find:a')).toBe('exhausted')
  })

  it('is exhausted when the recording has it, but not so often', () => {
    const run = play("+a -a +a' -a'")
    expect(run.calls('a', "a'", "a''")).toEqual(['serve 1', 'serve 2', 'refuse exhausted'])
    expect(run.turns()).toBe("-a'' refused -a -a'")
  })

  it('is told apart from a changed call when a call of its tool is still to come: that one it borrows', () => {
    const run = play('+a -a +b -b')
    run.call('a')
    run.turns()
    expect(run.call("a'")).toBe('lend 2')
  })

  it('cannot borrow an answer that was never recorded', () => {
    const run = play('+a')
    expect(run.call('x')).toBe('refuse changed-input')
    expect(run.turns()).toBe('-x refused')
  })
})

describe('an exact call whose answer was lent', () => {
  it('takes it back, and the borrower becomes extra', () => {
    const run = play('+a -a')
    run.call('x')
    expect(run.call('a')).toBe('serve 1')
    expect(run.facts).toEqual([{ kind: 'taken-back', call: 1, fromLive: 1, byLive: 2 }])
    expect(run.verdict('x')).toBe('extra')
    expect(run.turns()).toBe('-x refused -a')
  })

  it('gets a copy when the borrower has had it already', () => {
    const run = play('+a -a +b -b')
    run.call('x')
    expect(run.turns()).toBe('-x')
    expect(run.call('a')).toBe('serve 1')
    expect(run.turns()).toBe('-a')
    expect(run.verdict('x')).toBe('extra')
    run.call('b')
    expect(run.turns()).toBe('-b')
  })

  it('gets a stream from its beginning, though the borrower has had some of it', () => {
    const run = play('+a* ~a ~a -a')
    run.call('x*')
    run.pull('x')
    expect(run.turn()).toBe('~x')
    run.call('a*')
    expect(run.turns()).toBe('-x refused ~a ~a -a')
  })

  it('does not take back what another exact call has', () => {
    const run = play('+a -a')
    expect(run.calls('a', "a'")).toEqual(['serve 1', 'refuse exhausted'])
  })
})

describe('a call that may not be answered', () => {
  it('is refused by the mode', () => {
    const run = play('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'mode' } } })
    expect(run.call('a')).toBe('refuse refused')
    expect(run.turns()).toBe('-a refused')
  })

  it('is refused by its recorded policy', () => {
    const run = play('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'policy' } } })
    expect(run.call('a')).toBe('refuse refused')
  })

  it('is refused when its recording was altered', () => {
    const run = play('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'altered-recording' } } })
    expect(run.call('a')).toBe('refuse altered-recording')
  })

  it('is refused when its result had no JSON form and is lost', () => {
    const run = play('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'lost' } } })
    expect(run.call('a')).toBe('refuse no-result')
  })

  it('does not hold the calls after it', () => {
    const run = play('+a -a +b -b', { calls: { a: { treatment: 'refuse', refusal: 'policy' } } })
    run.calls('a', 'b')
    expect(run.turns()).toBe('-a refused -b')
  })

  it('is not lent either', () => {
    const run = play('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'policy' } } })
    expect(run.call('x')).toBe('refuse refused')
  })
})
