import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

/** `a` is freed: when it was recorded (`recorded`), or only by what the agent says now. */
const recorded = { calls: { a: { order: 'any' } } } as const

describe('a call whose order does not count', () => {
  it('is answered when it comes, whatever is recorded before it', () => {
    const run = play('+b -b +log:a -log:a', { calls: { 'log:a': { order: 'any' } } })
    expect(run.call('log:a')).toBe('serve 2')
    expect(run.turns()).toBe('-log:a')
    expect(run.facts).toEqual([])
  })

  it('does not hold others while it is absent', () => {
    const run = play('+a -a +b -b', recorded)
    run.call('b')
    expect(run.turns()).toBe('-b')
    expect(run.facts).toEqual([])
  })

  it('does not hold others whose answers were recorded while it was open', () => {
    const run = play('+b +a -b -a', recorded)
    run.call('b')
    expect(run.turns()).toBe('-b')
  })

  it('is still expected', () => {
    const run = play('+a -a +b -b', recorded)
    run.call('b')
    expect(run.session.firstUnmade()?.number).toBe(1)
    run.call('a')
    expect(run.session.firstUnmade()).toBeNull()
  })

  it('is answered once, and a second time exhausted', () => {
    const run = play('+a -a', recorded)
    expect(run.calls('a', "a'")).toEqual(['serve 1', 'refuse exhausted'])
  })

  it('is never too early: the answer that triggered it in the recording is not asked for', () => {
    const run = play('+b -b +a@b -a', recorded)
    run.call('b')
    expect(run.call('a', { prompt: true })).toBe('serve 2')
    expect(run.turns()).toBe('-a -b')
  })

  it('makes nothing else too early by its answer', () => {
    const run = play('+a -a +b@a -b', recorded)
    run.call('a')
    expect(run.call('b', { prompt: true })).toBe('serve 2')
    expect(run.turns()).toBe('-a -b')
  })

  it('may be synchronous and come before a synchronous call that was recorded before it', () => {
    const run = play('+b= -b +a= -a', recorded)
    expect(run.call('a=', { prompt: true })).toBe('serve 2')
    expect(run.now('a')).toBe('-a')
    expect(run.call('b=', { prompt: true })).toBe('serve 1')
    expect(run.facts).toEqual([])
  })

  it('is not judged in a strict sequence either, and the others are', () => {
    const run = play('+b -b +a -a +c -c', { ...recorded, order: 'sequence' })
    expect(run.calls('a', 'c', 'b')).toEqual(['serve 2', 'serve 3', 'serve 1'])
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 2 }])
  })

  it('with another input gets the recorded answer whenever it comes', () => {
    const run = play('+b -b +log:a -log:a', { calls: { 'log:a': { order: 'any' } } })
    expect(run.call('log:x')).toBe('lend 2')
    expect(run.turns()).toBe('-log:x')
    expect(run.verdict('log:x')).toBe('changed-input')
  })

  it('executed gets its live result as soon as there is one', () => {
    const run = play('+b -b +a -a', { calls: { a: { order: 'any', treatment: 'run' } } })
    expect(run.call('a')).toBe('run 2')
    run.executed('a')
    expect(run.turns()).toBe('-a executed')
  })

  it('is taken where a divergence consumes nothing, too', () => {
    const run = play('+b -b +a@b -a', recorded, { onDivergence: 'stop' })
    run.call('b')
    expect(run.call('a', { prompt: true })).toBe('serve 2')
  })
})

describe('a tool that the agent freed after the recording was made', () => {
  const log = '+log:a -log:a +b -b +log:c -log:c'

  it('is answered when it comes', () => {
    const run = play(log)
    expect(run.call('log:c', { order: 'any' })).toBe('serve 3')
    expect(run.turns()).toBe('-log:c')
  })

  it('holds nobody up from its first call on', () => {
    const run = play(log)
    run.call('log:c', { order: 'any' })
    run.call('b')
    expect(run.turns()).toBe('-log:c -b')
    expect(run.facts).toEqual([])
  })

  it('holds others until the run is idle when nothing tells yet that it is free', () => {
    const run = play(log)
    run.call('b')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-b')
    expect(run.call('log:a', { order: 'any' })).toBe('serve 1')
  })
})
