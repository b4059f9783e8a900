import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

describe('an executed call', () => {
  const runs = { calls: { a: { treatment: 'run' } } } as const

  it('is handed its live result in the place of the recorded one', () => {
    const run = play('+a +b -b -a', runs)
    expect(run.calls('a', 'b')).toEqual(['run 1', 'serve 2'])
    run.executed('a')
    expect(run.turns()).toBe('-b -a executed')
  })

  it('holds later recorded answers until it has finished', () => {
    const run = play('+a +b -a -b', runs)
    run.calls('a', 'b')
    expect(run.turn()).toBeNull()
    run.executed('a')
    expect(run.turns()).toBe('-a executed -b')
  })

  it('is not released by an idle run while it has no result', () => {
    const run = play('+a +b -a -b', runs)
    run.call('a')
    expect(run.idle()).toBeNull()
    run.executed('a')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-a executed')
  })

  it('streams in the places of the recorded chunks, and its end drops what the recording had more', () => {
    const run = play('+a* ~a +b ~a ~a -a -b', runs)
    run.call('a*')
    run.executed('a', 'chunk')
    expect(run.turn()).toBe('~a executed')
    run.executed('a', 'end')
    expect(run.turn()).toBeNull()
    run.call('b')
    expect(run.turns()).toBe('-a executed -b')
  })

  it('that streams more than the recording hands it out all the same', () => {
    const run = play('+a* ~a -a', runs)
    run.call('a*')
    for (const part of ['chunk', 'chunk', 'chunk', 'end'] as const) run.executed('a', part)
    expect(run.turns()).toBe('~a executed ~a executed ~a executed -a executed')
  })

  it('that was answered at once gives its place free', () => {
    const run = play('+a= -a +b -b', runs)
    expect(run.call('a=')).toBe('run 1')
    run.session.answeredAtOnce(run.lives.get('a')!)
    run.call('b')
    expect(run.turns()).toBe('-b')
  })

  it('that stayed open in the recording stays open as long as anything else can happen', () => {
    const run = play('+a +b -b', runs)
    run.call('a')
    run.executed('a')
    expect(run.turn()).toBeNull()
    run.call('b')
    expect(run.turns()).toBe('-b')
    expect(run.idle()).toBe('-a executed')
    expect(run.idle()).toBeNull()
  })

  it('that comes late, after its place was given up, is handed out when it finishes', () => {
    const run = play('+a -a +b -b', runs)
    run.call('b')
    expect(run.idle()).toBe('-b')
    expect(run.call('a')).toBe('run 1')
    run.executed('a')
    expect(run.turns()).toBe('-a executed')
  })
})

describe('a call of an executed tool that the recording does not know', () => {
  it('runs, is extra, holds nothing and is handed out when it finishes', () => {
    const run = play('+a -a +search:b -search:b', { live: ['t'], calls: { a: { treatment: 'run' } } })
    run.call('a')
    run.executed('a')
    run.turns()
    expect(run.call('x')).toBe('run extra')
    run.call('search:b')
    expect(run.turns()).toBe('-search:b')
    run.executed('x')
    expect(run.turns()).toBe('-x executed')
  })
})

describe('without a plan', () => {
  it('every call runs, and each result is handed out when it comes', () => {
    const run = play('', { live: 'all', mode: 'record' })
    expect(run.calls('a', 'b')).toEqual(['run unplanned', 'run unplanned'])
    run.executed('b')
    run.executed('a')
    expect(run.turns()).toBe('-b executed -a executed')
  })
})
