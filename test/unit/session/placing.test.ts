import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

describe('a call made in a turn before the answer that triggered it', () => {
  const log = '+charge@start -charge +mail@charge -mail'

  it('is not awaited when that call is open', () => {
    const run = play(log)
    expect(run.call('charge', { prompt: true })).toBe('serve 1')
    expect(run.call('mail', { prompt: true })).toBe('serve 2 too early for 1')
    expect(run.turns()).toBe('-charge -mail')
  })

  it('gives that call up at once when it was not made', () => {
    const run = play(log)
    expect(run.call('mail', { prompt: true })).toBe('serve 2')
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 1 }])
    expect(run.turns()).toBe('-mail')
  })

  it('is in its place once that answer was handed out', () => {
    const run = play(log)
    run.call('charge', { prompt: true })
    run.turns()
    expect(run.call('mail', { prompt: true })).toBe('serve 2')
    expect(run.facts).toEqual([])
  })

  it('is never judged when a timer or I/O triggers it now', () => {
    const run = play(log)
    expect(run.calls('charge', 'mail')).toEqual(['serve 1', 'serve 2'])
    expect(run.facts).toEqual([])
  })

  it('is never judged when a timer or I/O triggered it in the recording: a warm cache stays green', () => {
    const run = play('+a@start -a +b -b')
    expect(run.call('b', { prompt: true })).toBe('serve 2')
    expect(run.call('a', { prompt: true })).toBe('serve 1')
    expect(run.turns()).toBe('-a -b')
  })

  it('is never judged when the start of the run triggered it', () => {
    const run = play('+a@start +b@start -b -a')
    expect(run.call('b', { prompt: true })).toBe('serve 2')
    expect(run.call('a', { prompt: true })).toBe('serve 1')
  })

  it('gives up every missing call that had ended before it', () => {
    const run = play('+a@start -a +b@a -b +c@b -c')
    expect(run.call('c', { prompt: true })).toBe('serve 3')
    expect(run.facts.map(fact => fact.kind === 'given-up' && fact.call)).toEqual([1, 2])
  })
})

describe('a synchronous call', () => {
  it('is answered before it returns', () => {
    const run = play('+a= -a +b= -b')
    expect(run.call('a=', { prompt: true })).toBe('serve 1')
    expect(run.now('a')).toBe('-a')
    expect(run.turn()).toBeNull()
  })

  it('made before a synchronous one that was recorded before it is out of place', () => {
    const run = play('+a= -a +b= -b')
    run.call('b=', { prompt: true })
    run.now('b')
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 1 }])
    expect(run.call('a=', { prompt: true })).toBe('serve 1')
    expect(run.now('a')).toBe('-a')
  })

  it('is not out of place before an asynchronous one', () => {
    const run = play('+a -a +b= -b')
    run.call('b=', { prompt: true })
    expect(run.facts).toEqual([])
  })

  it('is not judged when a timer or I/O triggers it', () => {
    const run = play('+a= -a +b= -b')
    run.call('b=')
    expect(run.facts).toEqual([])
  })
})

describe('order sequence', () => {
  it('takes the calls one after the other', () => {
    const run = play('+a -a +b -b', { order: 'sequence' })
    run.call('a')
    expect(run.turn()).toBe('-a')
    run.call('b')
    expect(run.turn()).toBe('-b')
    expect(run.facts).toEqual([])
  })

  it('gives up what a call overtakes, even when the recording made them at the same time', () => {
    const run = play('+a +b -a -b', { order: 'sequence' })
    run.call('b')
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 1 }])
    expect(run.turns()).toBe('-b')
    run.call('a')
    expect(run.turns()).toBe('-a')
  })
})

describe('order any', () => {
  it('holds nothing and judges no order', () => {
    const run = play('+a@start -a +b@a -b +c@b -c', { order: 'any' })
    expect(run.call('c', { prompt: true })).toBe('serve 3')
    expect(run.turn()).toBe('-c')
    expect(run.call('a', { prompt: true })).toBe('serve 1')
    expect(run.turn()).toBe('-a')
    expect(run.facts).toEqual([])
    expect(run.session.firstUnmade()?.number).toBe(2)
  })

  it('gives each recorded call once', () => {
    const run = play('+a -a', { order: 'any' })
    expect(run.calls('a', "a'")).toEqual(['serve 1', 'refuse exhausted'])
  })
})
