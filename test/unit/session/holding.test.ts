import { describe, expect, it } from 'vitest'
import { type Play, play } from './play.ts'

describe('a recorded answer is held until its turn', () => {
  it('one a turn, in recorded order, whatever the order of the calls', () => {
    const run = play('+a +b +c -c -a -b')
    run.calls('b', 'c', 'a')
    expect([run.turn(), run.turn(), run.turn(), run.turn()]).toEqual(['-c', '-a', '-b', null])
  })

  it('until every call recorded before it has been made', () => {
    const run = play('+a +b -a -b')
    run.call('a')
    expect(run.turn()).toBeNull()
    run.call('b')
    expect(run.turns()).toBe('-a -b')
  })

  it('but not for calls recorded after it', () => {
    const run = play('+a -a +b -b')
    run.call('a')
    expect(run.turn()).toBe('-a')
  })

  it('until the answers recorded before it have been handed out, though its own call is made', () => {
    const run = play('+a +b -b -a +c -c')
    run.call('a')
    expect(run.turn()).toBeNull()
    run.call('b')
    expect(run.turns()).toBe('-b -a')
  })

  it('so the recorded winner of a race wins', () => {
    const run = play('+slow +fast -fast +use -use -slow')
    run.calls('slow', 'fast')
    expect(run.turns()).toBe('-fast')
    run.call('use')
    expect(run.turns()).toBe('-use -slow')
  })

  it('so a recorded time-out still times out: its answer waits for what was called meanwhile', () => {
    const run = play('+slow +use -use -slow')
    run.call('slow')
    expect(run.turn()).toBeNull()
    run.call('use')
    expect(run.turns()).toBe('-use -slow')
  })

  it('so a pool gives its next item to the recorded worker', () => {
    const run = play('+a +b -b +c@b -a +d@a -c -d')
    run.calls('a', 'b')
    expect(run.turns()).toBe('-b')
    run.call('c', { prompt: true })
    expect(run.turns()).toBe('-a')
  })

  it('an early call is not out of place: it waits', () => {
    const run = play('+a -a +b -b +c -c')
    expect(run.calls('b', 'a', 'c')).toEqual(['serve 2', 'serve 1', 'serve 3'])
    expect(run.turns()).toBe('-a -b -c')
    expect(run.facts).toEqual([])
  })
})

describe('a run that is idle', () => {
  it('gets the earliest open call answered, and what it waited for is given up', () => {
    const run = play('+a -a +b -b')
    run.call('b')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-b')
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 1 }])
  })

  it('gets one that breaks no recorded order, without giving anything up', () => {
    const run = play('+a +b -b -a')
    run.call('a')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-a')
    run.call('b')
    expect(run.turns()).toBe('-b')
    expect(run.facts).toEqual([])
  })

  it('answers a given-up call at once when it comes late', () => {
    const run = play('+a -a +b -b +c -c')
    run.call('b')
    run.idle()
    expect(run.call('a')).toBe('serve 1')
    expect(run.turns()).toBe('-a')
  })

  it('gives a predecessor up once', () => {
    const run = play('+a -a +b -b +c -c')
    run.call('b')
    run.idle()
    run.call('c')
    expect(run.turns()).toBe('-c')
    expect(run.facts).toEqual([{ kind: 'given-up', call: 1, forLive: 1 }])
  })

  it('gets nothing when no call is open', () => {
    const run = play('+a -a +b -b')
    run.call('a')
    run.turns()
    expect(run.idle()).toBeNull()
  })

  it('gets a stream answered as a whole', () => {
    const run = play('+a +s ~s ~s -s -a')
    run.call('s*')
    run.pull('s')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('~s')
    expect(run.turns()).toBe('~s -s')
  })
})

describe('a stream', () => {
  const log = '+s* ~s ~s -s +a -a'

  it('hands out a chunk only while a read is pending', () => {
    const run = play(log)
    run.call('s*')
    expect(run.turn()).toBeNull()
    run.pull('s')
    expect([run.turn(), run.turn()]).toEqual(['~s', null])
    run.pull('s')
    run.turn()
    run.pull('s')
    expect(run.turn()).toBe('-s')
  })

  it('hands out its head without a read', () => {
    const run = play('+s* ^s ~s -s')
    run.call('s*')
    expect([run.turn(), run.turn()]).toEqual(['^s', null])
  })

  it('keeps each chunk in its place among other answers', () => {
    const run = play('+s* ~s +a@s -a ~s -s')
    run.call('s*')
    run.pull('s')
    expect(run.turn()).toBe('~s')
    run.pull('s')
    expect(run.turn()).toBeNull()
    run.call('a', { prompt: true })
    expect(run.turns()).toBe('-a ~s')
  })

  it('broken off early drops its rest, and holds nobody up', () => {
    const run = play(log)
    run.calls('s*', 'a')
    run.pull('s')
    run.turn()
    run.abandon('s')
    expect(run.turns()).toBe('-a')
  })

  it('broken off in the recording and read on now has no result', () => {
    const run = play('+s* ~s')
    run.call('s*')
    run.pull('s')
    expect(run.turn()).toBe('~s')
    run.pull('s')
    expect(run.turn()).toBeNull()
    expect(run.idle()).toBe('-s refused')
    expect(run.verdict('s')).toBe('no-result')
  })

  it('broken off in the recording and broken off now is matched', () => {
    const run = play('+s* ~s')
    run.call('s*')
    run.pull('s')
    run.turn()
    run.abandon('s')
    expect(run.idle()).toBeNull()
    expect(run.verdict('s')).toBe('matched')
  })
})

describe('an aborted call', () => {
  it('gets nothing any more, also when its answer was already on its way', () => {
    const run = play('+a -a +b -b')
    run.calls('b', 'a')
    run.turn()
    run.abandon('b')
    expect(run.turn()).toBeNull()
  })

  it('gets no late answer after its place was given up', () => {
    const run = play('+a -a +b -b')
    run.call('b')
    run.idle()
    run.call('a')
    run.abandon('a')
    expect(run.turns()).toBe('')
  })
})

describe('an answer that came after an abort in the recording', () => {
  const aborted = { calls: { a: { abortedAfter: 0 } } } as const

  it('is held until the agent aborts', () => {
    const run = play('+a -a', aborted)
    run.call('a', { canAbort: true })
    expect(run.turn()).toBeNull()
    run.abort('a')
    expect(run.turn()).toBe('-a')
  })

  it('holds what was recorded after it', () => {
    const run = play('+a +b -a -b', aborted)
    run.call('a', { canAbort: true })
    run.call('b')
    expect(run.turn()).toBeNull()
    run.abort('a')
    expect(run.turns()).toBe('-a -b')
  })

  it('is given to a run that is idle, and nothing is out of place', () => {
    const run = play('+a -a', aborted)
    run.call('a', { canAbort: true })
    expect(run.idle()).toBe('-a')
    expect(run.facts).toEqual([])
  })

  it('is not held when the agent gave no signal that it could abort', () => {
    const run = play('+a -a', aborted)
    run.call('a')
    expect(run.turn()).toBe('-a')
  })

  it('of a stream is only what came after the abort', () => {
    const run = play('+s* ~s ~s -s', { calls: { s: { abortedAfter: 1 } } })
    run.call('s*', { canAbort: true })
    run.pull('s')
    expect(run.turn()).toBe('~s')
    run.pull('s')
    expect(run.turn()).toBeNull()
    run.abort('s')
    expect(run.turn()).toBe('~s')
  })
})

describe('answers that were held are counted', () => {
  const heldAfter = (log: string, during: (run: Play) => void): number => {
    const run = play(log)
    during(run)
    return run.session.held
  }

  it('none where one call follows the other', () => {
    const held = heldAfter('+a -a +b -b', run => {
      run.call('a')
      run.turns()
      run.call('b')
      run.turns()
    })
    expect(held).toBe(0)
  })

  it('all but the first of calls that are made together', () => {
    const held = heldAfter('+a +b +c -b -a -c', run => {
      run.calls('a', 'b', 'c')
      run.turns()
    })
    expect(held).toBe(2)
  })

  it('one that waits for a call, once, however many turns go by', () => {
    const held = heldAfter('+a +b -b -a', run => {
      run.call('a')
      run.turn()
      run.turn()
      run.call('b')
      run.turns()
    })
    expect(held).toBe(1)
  })

  it('none that is answered on the spot, or whose order does not count', () => {
    const held = heldAfter('+x -x +a= -a +log:b -log:b', run => {
      run.call('a=')
      run.now('a')
      run.call('log:b', { order: 'any' })
      run.turns()
    })
    expect(held).toBe(0)
  })

  it('a live result that waits for its place', () => {
    const run = play('+a -a +b -b', { calls: { b: { treatment: 'run' } } })
    run.call('b')
    run.turn()
    expect(run.session.held).toBe(0)
    run.executed('b')
    run.turn()
    expect(run.session.held).toBe(1)
  })
})
