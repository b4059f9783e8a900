import { describe, expect, it } from 'vitest'
import { validateBundle } from '../../../src/validate.ts'
import { captured, planned, saved, told } from './captured.ts'
import { journal } from './journals.ts'

const boom = { name: 'ValueError', message: 'boom' }

describe('events are written as the Python recorder writes them', () => {
  it('a completed run: the call below the start, its result below the call, start and end below nothing', () => {
    const run = journal()
    run.returns(run.call('search', { input: { q: 'x' } }), [1])
    const recorded = captured(run.completes({ answer: 42 }), 'question')
    expect(told(recorded)).toEqual([
      '0 run_start',
      '1 tool_call search < 0',
      '2 tool_result search < 1',
      '3 run_end completed',
    ])
    expect(recorded.events[0]).toMatchObject({ input: 'question' })
    expect(recorded.events[1]).toMatchObject({ input: { q: 'x' } })
    expect(recorded.events[2]).toMatchObject({ output: [1] })
    expect(recorded.events[3]).toMatchObject({ output: { answer: 42 } })
    expect(recorded).toMatchObject({ status: 'completed', failure: null })
  })

  it('a call made inside another: below the call event of the outer one', () => {
    const run = journal()
    const outer = run.call('plan')
    const inner = run.call('search', { parent: outer })
    run.returns(inner, 1)
    run.returns(outer, 2)
    expect(told(captured(run.completes()))).toEqual([
      '0 run_start',
      '1 tool_call plan < 0',
      '2 tool_call search < 1',
      '3 tool_result search < 2',
      '4 tool_result plan < 1',
      '5 run_end completed',
    ])
  })

  it('two calls side by side that each make one: each below its own', () => {
    const run = journal()
    const [one, two] = [run.call('outer'), run.call('outer')]
    const [in1, in2] = [run.call('inner', { parent: one }), run.call('inner', { parent: two })]
    for (const live of [in2, in1, two, one]) run.returns(live, null)
    const parents = captured(run.completes()).events.filter(event => event.type === 'tool_call')
    expect(parents.slice(2).map(event => event.parent_id)).toEqual(parents.slice(0, 2).map(event => event.id))
  })

  it('a failing tool whose failure ends the run: two error events, the second is that of the run', () => {
    const run = journal()
    run.throws(run.call('refund'), boom)
    const recorded = captured(run.fails(boom))
    expect(told(recorded)).toEqual([
      '0 run_start',
      '1 tool_call refund < 0',
      '2 tool_result refund error < 1',
      '3 error ValueError error < 2',
      '4 error ValueError error < 0',
      '5 run_end failed',
    ])
    expect(recorded.events[2]).toMatchObject({ output: { error_type: 'ValueError', message: 'boom' } })
    expect(recorded.failure).toEqual({ type: 'ValueError', message: 'boom', step: 4 })
  })

  it('a failing model: an error event below the request', () => {
    const run = journal()
    run.throws(run.model('gpt'), boom)
    expect(told(captured(run.fails(boom)))).toEqual([
      '0 run_start',
      '1 llm_request gpt < 0',
      '2 error ValueError error < 1',
      '3 error ValueError error < 0',
      '4 run_end failed',
    ])
  })

  it('an empty message is the name of its type, as the format has no empty one', () => {
    const { events, failure } = captured(journal().fails({ name: 'KeyError', message: '' }))
    expect(failure?.message).toBe('KeyError')
    expect(events.find(event => event.type === 'error')).toMatchObject({ message: 'KeyError' })
  })

  it('the output of a failed run is null, and the members of its error are kept beside it', () => {
    const { events } = captured(journal().fails({ ...boom, members: { code: 'E1' } }))
    expect(events.at(-1)).toMatchObject({ output: null })
    expect(events.at(-2)).toMatchObject({ details: { stepfork: { members: { code: 'E1' } } } })
  })

  it('durations are whole milliseconds rounded down, times have microseconds', () => {
    const run = journal()
    const live = run.call('search', { at: 1.25 })
    run.returns(live, 1, { at: 3.999 })
    const { events } = captured(run.completes())
    expect(events[2]).toMatchObject({ duration_ms: 2, timestamp: '2026-12-01T10:00:00.003999Z' })
  })

  it('a model has its token counts and no cost', () => {
    const run = journal()
    run.returns(run.model('gpt'), { usage: { prompt_tokens: 3, completion_tokens: 4 } })
    const counts = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, cost_usd: null }
    expect(captured(run.completes()).events[2]).toMatchObject(counts)
  })

  it('is valid, both in an order of its own and when calls were still open at the end', () => {
    const run = journal()
    const [one, two] = [run.call('a'), run.call('b')]
    run.call('c')
    run.returns(two, 2)
    run.returns(one, 1)
    expect(validateBundle(saved(run.completes()), { verifyIntegrity: true }).issues).toEqual([])
  })
})

describe('a stream', () => {
  it('is one result with what it yielded and returned', () => {
    const run = journal()
    const live = run.model('gpt', { shape: 'stream' })
    run.chunk(live, 'a')
    run.chunk(live, 'b')
    run.returns(live, { done: true })
    expect(captured(run.completes()).events[2]).toMatchObject({
      output: { yielded: ['a', 'b'], returned: { done: true } },
    })
  })

  it('that the agent left keeps what was read', () => {
    const run = journal()
    const live = run.call('lines', { shape: 'stream' })
    run.chunk(live, 'a')
    run.abandons(live)
    const plan = planned(run.completes())
    expect(plan.deliveries.map(({ part }) => part)).toEqual(['chunk'])
    expect(captured(run.facts).events[2]).toMatchObject({ output: { yielded: ['a'], returned: null } })
  })

  it.each(['call', 'model'] as const)(
    'of a %s that fails on the way keeps its chunks and its error',
    kind => {
      const run = journal()
      const live = run[kind]('lines', { shape: 'stream' })
      run.chunk(live, 'a')
      run.throws(live, boom)
      const facts = run.completes()
      const result = captured(facts).events.find(event => 'output' in event)
      expect(result).toMatchObject({ status: 'error', output: { yielded: ['a'] } })
      expect(validateBundle(saved(facts)).issues).toEqual([])
      expect(planned(facts).calls[0]).toMatchObject({ error: boom, parts: [0, 1] })
    },
  )

  it('lists what was redacted in each chunk and in what it returned, by its place in the payload', () => {
    const found = [{ path: '/token', reason: 'sensitive_key' }] as const
    const run = journal()
    const live = run.call('lines', { shape: 'stream', findings: [{ path: '/key', reason: 'sensitive_key' }] })
    run.chunk(live, {})
    run.chunk(live, { token: '[REDACTED]' }, { findings: found })
    run.returns(live, { token: '[REDACTED]' }, { findings: found })
    const paths = captured(run.completes()).events.map(event => event.findings?.map(({ path }) => path))
    expect(paths.slice(1, 3)).toEqual([['/input/key'], ['/output/yielded/1/token', '/output/returned/token']])
  })
})

describe('a result that JSON lacks', () => {
  it('undefined and lost ones are told beside the null that stands for them', () => {
    const run = journal()
    run.returns(run.call('a'), null, { marks: [{ path: '', is: 'undefined' }] })
    run.returns(run.call('b'), null, { isLost: true })
    const { calls } = planned(run.completes())
    expect(calls.map(call => [call.resultMarks, call.refusal])).toEqual([
      [[{ path: '', is: 'undefined' }], null],
      [undefined, 'lost'],
    ])
  })

  it('an output without JSON form is nothing to compare with', () => {
    const facts = [
      ...journal().facts,
      { kind: 'settled', at: 1, status: 'completed', output: null, outputNotJson: 'a Set' } as const,
    ]
    expect(planned(facts).end).toMatchObject({ status: 'completed', output: null })
    expect(planned(journal().completes()).end?.output).not.toBeNull()
  })

  it('a stream with a lost chunk cannot be replayed', () => {
    const run = journal()
    const live = run.call('a', { shape: 'stream' })
    run.chunk(live, null, { isLost: true })
    run.returns(live, null, { marks: [{ path: '', is: 'undefined' }] })
    expect(planned(run.completes()).calls[0]).toMatchObject({ refusal: 'lost' })
  })
})

describe('the end of a recording', () => {
  it('is when the run settles: what comes later is not part of it', () => {
    const run = journal()
    const live = run.call('a', { shape: 'stream' })
    run.chunk(live, 1)
    run.completes()
    run.chunk(live, 2)
    run.returns(live, 3)
    run.returns(run.call('late', { afterEnd: true }), 1)
    expect(told(captured(run.facts))).toEqual([
      '0 run_start',
      '1 tool_call a < 0',
      '2 tool_result a < 1',
      '3 run_end completed',
    ])
    expect(captured(run.facts).events[2]).toMatchObject({ output: { yielded: [1] } })
    expect(planned(run.facts).calls).toHaveLength(1)
  })

  it('a run that could never go on has failed', () => {
    const facts = [...journal().facts, { kind: 'stalled', at: 5 } as const]
    expect(captured(facts)).toMatchObject({ status: 'failed', failure: { type: 'AgentStalled' } })
  })
})

describe('the word of the agent on a call', () => {
  it('that its order does not count is kept with it, on disk, too', () => {
    const run = journal()
    run.returns(run.call('log', { order: 'any' }), null)
    run.returns(run.call('read'), null)
    expect(captured(run.completes()).log.map(line => 'order' in line && line.order)).toEqual([
      'any',
      false,
      false,
      false,
    ])
    expect(planned(run.facts).calls.map(call => call.order)).toEqual(['any', undefined])
  })

  it('that it is aborted stands in its place among calls and deliveries, on disk, too', () => {
    const run = journal()
    const slow = run.call('slow')
    run.returns(run.call('fast'), 1)
    run.aborts(slow)
    run.returns(slow, 2)
    expect(captured(run.completes()).log.slice(3)).toEqual([
      { call: 1, abort: true, at: 4 },
      { call: 1, part: 'end', at: 5 },
    ])
    expect(planned(run.facts).calls.map(call => call.abortedAfter)).toEqual([0, undefined])
  })
})
