import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const stop = (log: string, changes = {}) => play(log, changes, { onDivergence: 'stop' })

describe('where the first divergence consumes nothing', () => {
  it('a changed call is refused, and the right one is answered after it', () => {
    const run = stop('+a -a +b -b')
    expect(run.call('x')).toBe('refuse extra')
    expect(run.call('a')).toBe('serve 1')
    expect(run.turns()).toBe('-x refused -a')
  })

  it('a call made too early is refused, and may be made again in its place', () => {
    const run = stop('+a@start -a +b@a -b')
    expect(run.call('b', { prompt: true })).toBe('refuse reordered')
    expect(run.call('a', { prompt: true })).toBe('serve 1')
    expect(run.turns()).toBe('-b refused -a')
    expect(run.call("b'", { prompt: true })).toBe('serve 2')
    expect(run.turns()).toBe("-b'")
  })

  it('a call that does not await the one that triggered it is refused, and says which', () => {
    const run = stop('+a@start -a +b@a -b')
    run.call('a', { prompt: true })
    expect(run.call('b', { prompt: true })).toBe('refuse reordered too early for 1')
  })

  it('a call that only an idle run would answer is refused, and keeps its place', () => {
    const run = stop('+a -a +b -b')
    run.call('b')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-b refused')
    expect(run.facts).toEqual([{ kind: 'given-back', call: 2, fromLive: 1 }])
    run.calls('a', "b'")
    expect(run.turns()).toBe("-a -b'")
    expect(run.session.firstUnmade()).toBeNull()
  })

  it('a synchronous call before one that was recorded before it is refused', () => {
    const run = stop('+a= -a +b= -b')
    expect(run.call('b=', { prompt: true })).toBe('refuse reordered')
    expect(run.call('a=', { prompt: true })).toBe('serve 1')
  })

  it('a call out of sequence is refused', () => {
    const run = stop('+a +b -a -b', { order: 'sequence' })
    expect(run.call('b')).toBe('refuse reordered')
    expect(run.calls('a', "b'")).toEqual(['serve 1', 'serve 2'])
  })

  it('an early call that breaks no order is not refused', () => {
    const run = stop('+a +b -b -a')
    run.call('a')
    expect(run.idle()).toBe('-a')
  })

  it('a call refused by policy keeps its place as well', () => {
    const run = stop('+a -a', { calls: { a: { treatment: 'refuse', refusal: 'policy' } } })
    expect(run.calls('a', "a'")).toEqual(['refuse refused', 'refuse refused'])
  })
})
