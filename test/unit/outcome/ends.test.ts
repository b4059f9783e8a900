import { describe, expect, it } from 'vitest'
import { found, judge, type Live, type RecordedNote, type Setting } from './judging.ts'

const one: readonly RecordedNote[] = [{ name: 'search', input: { q: 1 } }]

const after = (play: (live: Live) => void, setting?: Setting) =>
  judge(
    one,
    live => {
      live.matches(1)
      play(live)
    },
    setting,
  )

const failedRun = (type: string, message: string): Setting => ({
  end: { status: 'failed', failure: { type, message } },
})
/** A bundle by the Python package. */
const python = { hasTriggers: false, nullOutputCounts: false, keepsOrder: false } as const

describe('the output', () => {
  it('differs, with each place', () => {
    const run = after(live => live.completes({ answer: 2 }), { output: { answer: 1 } })
    expect(run.divergences).toMatchObject([
      {
        kind: 'output-differs',
        label: 'output',
        differences: [{ path: '/answer', recorded: 1, actual: 2 }],
      },
    ])
    expect(run.output).toMatchObject({ compared: true, equal: false })
  })

  it('is not compared when that was not wanted, or the recording has no end', () => {
    for (const setting of [{ evidence: { compareOutput: false } }, { end: null }]) {
      const run = after(live => live.completes('other'), setting)
      expect(run).toMatchObject({ verdict: 'matched', output: { compared: false, equal: null } })
    }
  })

  it('of null is compared, but not in a bundle that cannot tell it from none: a note says so', () => {
    expect(found(after(live => live.completes('text'), { output: null }))).toEqual(['output-differs'])
    const run = after(live => live.completes('text'), { output: null, ...python })
    expect(run).toMatchObject({ verdict: 'matched', output: { compared: false } })
    expect(run.notes).toEqual([{ code: 'output-not-recorded', detail: '' }])
  })

  it('that is a text of JSON is compared as JSON where members lost their order', () => {
    const completes = (live: Live): void => live.completes('{"b":2,"a":1}')
    expect(after(completes, { output: '{"a":1,"b":2}', ...python }).verdict).toBe('matched')
    expect(after(completes, { output: '{"a":1,"b":2}' }).verdict).toBe('diverged')
  })

  it('without JSON form cannot be compared', () => {
    const run = after(live =>
      live.fact({
        kind: 'settled',
        at: 1,
        status: 'completed',
        output: null,
        outputNotJson: 'a Map (at $.m)',
      }),
    )
    expect(run.divergences).toMatchObject([{ kind: 'output-not-json', facts: { what: 'a Map (at $.m)' } }])
  })
})

describe('a failure', () => {
  it('where the recording completed is an error of the agent, with its stack', () => {
    const run = after(live => live.fails('TypeError', 'x is undefined'))
    expect(run.divergences).toMatchObject([
      {
        kind: 'agent-error',
        facts: {
          errorName: 'TypeError',
          errorMessage: 'x is undefined',
          stack: ['TypeError: x is undefined', '    at answer (agent.ts:3:1)'],
        },
      },
    ])
  })

  it('that happened as recorded is reproduced, exit 0', () => {
    const run = after(live => live.fails('ValueError', 'boom'), failedRun('ValueError', 'boom'))
    expect(run).toMatchObject({
      verdict: 'reproduced',
      exitCode: 0,
      failure: { type: 'ValueError', message: 'boom' },
      divergences: [],
    })
  })

  it.each([
    ['another name', 'RangeError', 'boom'],
    ['another message', 'ValueError', 'bang'],
  ])('with %s differs', (_what, name, message) => {
    const run = after(live => live.fails(name, message), failedRun('ValueError', 'boom'))
    expect(run.divergences).toMatchObject([
      { kind: 'failure-differs', facts: { errorName: name, recordedErrorName: 'ValueError' } },
    ])
    expect(run.failure).toBeNull()
  })

  it('of a Python bundle is compared by its name, another message is a note', () => {
    const setting = { ...failedRun('ValueError', 'boom'), ...python }
    const run = after(live => live.fails('ValueError', 'bang'), setting)
    expect(run).toMatchObject({ verdict: 'reproduced', exitCode: 0 })
    expect(run.notes).toEqual([{ code: 'message-differs', detail: 'bang' }])
    expect(found(after(live => live.fails('TypeError', 'boom'), setting))).toEqual(['failure-differs'])
  })

  it('with an empty message is recorded with its name as the message', () => {
    expect(after(live => live.fails('KeyError', ''), failedRun('KeyError', 'KeyError')).verdict).toBe(
      'reproduced',
    )
  })

  it('that no longer happens differs', () => {
    const run = after(live => live.completes(), failedRun('ValueError', 'boom'))
    expect(run.divergences).toMatchObject([{ kind: 'failure-differs', facts: { errorName: null } }])
  })

  it('that is reproduced too early still misses calls: the first is the cause of the rest', () => {
    const run = judge(
      ['a', 'b', 'c'].map(name => ({ name })),
      live => {
        live.matches(1)
        live.fails('ValueError', 'boom')
      },
      failedRun('ValueError', 'boom'),
    )
    expect(found(run)).toEqual(['missing 2', 'missing 3 < 0'])
    expect(run.verdict).toBe('diverged')
  })
})

describe('an end that the agent did not come to by itself', () => {
  it('stalled: waiting for calls that are named', () => {
    const run = after(live => {
      live.made('read', {}, { call: null, verdict: 'matched', answer: 'pending' })
      live.fact({ kind: 'stalled', at: 9 })
    })
    expect(run.divergences.at(-1)).toMatchObject({
      kind: 'agent-stalled',
      facts: { lastCall: 'read', openCalls: ['read'] },
    })
  })

  it('stalled as recorded is reproduced', () => {
    const stalls = (live: Live): void => live.fact({ kind: 'stalled', at: 9 })
    expect(after(stalls, failedRun('AgentStalled', 'waiting')).verdict).toBe('reproduced')
  })

  const processEnd = { exitCode: null, signal: null, silentMs: null, interrupted: false }

  it.each([
    ['agent-timeout', { silentMs: 60_000 }, { silentMs: 60_000, lastCall: 'search' }],
    ['agent-exit', { exitCode: 3 }, { code: 3, signal: null }],
    ['agent-exit', { signal: 'SIGKILL' }, { signal: 'SIGKILL' }],
  ])('%s', (kind, end, facts) => {
    const run = after(() => {}, { evidence: { processEnd: { ...processEnd, ...end } } })
    expect(run.divergences).toMatchObject([{ kind, facts }])
    expect(run.exitCode).toBe(1)
  })

  it('too many calls, with the limit', () => {
    const run = after(live => live.fact({ kind: 'stopped', at: 1, why: 'too-many-calls', limit: 102 }))
    expect(run.divergences).toMatchObject([{ kind: 'too-many-calls', facts: { limit: 102 } }])
  })

  it('an interruption is exit 130 whatever else was found', () => {
    const interrupted = { ...processEnd, interrupted: true }
    expect(after(live => live.fails('E', 'e'), { evidence: { processEnd: interrupted } }).exitCode).toBe(130)
  })

  it('stopped at the first divergence: what was not reached is a note, not missing', () => {
    const run = judge(
      ['a', 'b', 'c'].map(name => ({ name })),
      live => {
        live.matches(1)
        live.refused('b', { x: 1 })
        live.fact({ kind: 'stopped', at: 1, why: 'first-divergence', limit: null })
      },
    )
    expect(found(run)).toEqual(['changed-input 2'])
    expect(run.totals).toMatchObject({ recorded: 3, matched: 1, changed: 1, missing: 0 })
    expect(run.notes).toContainEqual({ code: 'not-reached', detail: '1' })
  })
})

describe('a run that compared nothing', () => {
  it('is no success: a recording without calls and output', () => {
    const run = judge([], live => live.completes(), { end: null })
    expect(run).toMatchObject({ verdict: 'error', exitCode: 2, error: { code: 'NOTHING_COMPARED' } })
  })

  it('is no success: a script that made none of the recorded calls', () => {
    const run = judge(one, live => live.completes(), { evidence: { isScript: true } })
    expect(run).toMatchObject({ exitCode: 2, error: { code: 'NOTHING_COMPARED' } })
  })

  it('is one that diverged when a function makes none of the recorded calls', () => {
    expect(found(judge(one, live => live.completes()))).toEqual(['missing 1'])
  })

  it('is compared after all when there is an output, or a failure that was reproduced', () => {
    expect(judge([], live => live.completes()).verdict).toBe('matched')
    expect(judge([], live => live.fails('E', 'e'), failedRun('E', 'e')).verdict).toBe('reproduced')
  })

  it('never began: the sentence of the agent that could not be loaded', () => {
    const run = judge(one, live =>
      live.fact({ kind: 'not-started', code: 'AGENT_SYNTAX', message: 'agent.ts:3', hint: 'x', stack: null }),
    )
    expect(run).toMatchObject({ verdict: 'error', exitCode: 2, error: { code: 'AGENT_SYNTAX', hint: 'x' } })
  })
})

describe('notes', () => {
  it('tell of calls after the end, of calls that stay open as recorded, and of what kept the process alive', () => {
    const run = after(live => {
      live.matches(1, { answer: 'pending' })
      live.completes()
      live.made('late', {}, { call: null, verdict: 'extra', answer: 'pending', afterEnd: true })
      live.fact({ kind: 'note', code: 'refusal-unhandled', detail: '2' })
      live.fact({ kind: 'ended', at: 60, held: 3, released: 2, parked: 1, alive: ['Timeout'] })
    })
    expect(run.verdict).toBe('matched')
    expect(run.notes).toEqual([
      { code: 'refusal-unhandled', detail: '2' },
      { code: 'call-after-end', detail: '1' },
      { code: 'recorded-call-unanswered', detail: '1' },
      { code: 'process-kept-alive', detail: 'Timeout' },
    ])
    expect(run.waits).toEqual({ held: 3, released: 2, parked: 1 })
  })
})
