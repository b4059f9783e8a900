import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

describe('a live call takes a recorded one', () => {
  it('of equal name and input, wherever it stands', () => {
    const run = play('+a +b +c -a -b -c')
    expect(run.calls('c', 'a', 'b')).toEqual(['serve 3', 'serve 1', 'serve 2'])
  })

  it('the earliest of several equal ones, each once', () => {
    const run = play("+a -a +b -b +a' -a' +a'' -a''")
    expect(run.calls('a', "a'", "a''")).toEqual(['serve 1', 'serve 3', 'serve 4'])
  })

  it('never one of another tool with the same input', () => {
    const run = play('+search:a -search:a +read:a -read:a')
    expect(run.call('read:a')).toBe('serve 2')
  })

  it('one recorded under its own parent before an earlier equal one elsewhere', () => {
    const run = play("+plan -plan +a -a +work +a'/work -a' -work", {
      calls: { work: { treatment: 'run' } },
    })
    run.calls('plan', 'work')
    expect(run.call("a'/work")).toBe('serve 4')
    expect(run.call('a')).toBe('serve 2')
  })

  it('an equal one elsewhere when its parent has none', () => {
    const run = play('+work -work +a -a', { calls: { work: { treatment: 'run' } } })
    run.call('work')
    expect(run.call('a/work')).toBe('serve 2')
  })

  it('the second recorded key counts, too: an integer beyond 2^53 may come as either number type', () => {
    const run = play('+a -a +b -b', { calls: { b: { keys: ['b', 'c'] } } })
    run.call('a')
    expect(run.call('c')).toBe('serve 2')
  })
})

describe('a call recorded inside the body of another', () => {
  const log = '+outer +a/outer -a -outer +b -b'

  it('is not expected, and holds nothing', () => {
    const run = play(log)
    run.call('outer')
    expect(run.turns()).toBe('-outer')
    run.call('b')
    expect(run.turns()).toBe('-b')
    expect(run.session.firstUnmade()).toBeNull()
  })

  it('may be taken by the agent itself once its outer call was', () => {
    const run = play(log)
    run.call('outer')
    expect(run.call('a')).toBe('serve 2')
    expect(run.turns()).toBe('-a -outer')
  })

  it('may not be taken before its outer call', () => {
    const run = play(log)
    expect(run.call('a')).not.toBe('serve 2')
  })

  it('comes after the expected calls of equal input', () => {
    const run = play("+outer +a/outer -a -outer +a' -a'")
    run.call('outer')
    expect(run.calls('a', "a'")).toEqual(['serve 3', 'serve 2'])
  })

  it('is expected when the body of its outer call runs', () => {
    const run = play(log, { calls: { outer: { treatment: 'run' } } })
    run.call('outer')
    expect(run.session.firstUnmade()?.number).toBe(2)
    expect(run.call('a/outer')).toBe('serve 2')
    expect(run.turns()).toBe('-a')
  })

  it('at any depth: inside a call that is inside one that does not run', () => {
    const run = play('+outer +mid/outer +a/mid -a -mid -outer', { calls: { mid: { treatment: 'run' } } })
    run.call('outer')
    expect(run.session.firstUnmade()).toBeNull()
    expect(run.turns()).toBe('-outer')
  })
})

describe('a call that the recording never answered', () => {
  it('is matched and stays open', () => {
    const run = play('+a +b -b')
    expect(run.calls('a', 'b')).toEqual(['pending 1', 'serve 2'])
    expect(run.turns()).toBe('-b')
    expect(run.verdict('a')).toBe('matched')
  })

  it('is refused as having no result when the run goes idle on it', () => {
    const run = play('+a')
    run.call('a')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-a refused')
    expect(run.verdict('a')).toBe('no-result')
    expect(run.facts).toEqual([{ kind: 'unanswered', live: 1 }])
    expect(run.idle()).toBeNull()
  })

  it('is refused after everything else was released', () => {
    const run = play('+a +b +c -c -b')
    run.calls('a', 'b')
    expect(run.turns()).toBe('')
    expect(run.idle()).toBe('-b')
    expect(run.idle()).toBe('-a refused')
  })

  it('is refused at once when the log was cut off: nobody knows what it would have answered', () => {
    const run = play('+a -a +b', { end: null })
    expect(run.calls('a', 'b')).toEqual(['serve 1', 'refuse no-result'])
    expect(run.turns()).toBe('-b refused -a')
  })

  it('is refused at once when it is synchronous and cannot stay open', () => {
    const run = play('+a=')
    expect(run.call('a=')).toBe('refuse no-result')
  })
})

describe('a call after the end of the run', () => {
  it('is answered when the recording has it', () => {
    const run = play('+a -a +b -b')
    run.call('a')
    run.turns()
    expect(run.call('b', { afterEnd: true })).toBe('serve 2')
    expect(run.turns()).toBe('-b')
  })

  it('stays open when the recording does not know it', () => {
    const run = play('+a -a')
    run.call('a')
    run.turns()
    expect(run.call('z', { afterEnd: true })).toBe('pending extra')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBeNull()
  })
})
