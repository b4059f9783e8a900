import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  broken,
  call,
  error,
  fixture,
  reading,
  recording,
  request,
  response,
  result,
  told,
} from './recordings.ts'

const outcomes = (events: Parameters<typeof recording>[0]): string[] => told(recording(events).plan())

describe('a call and its outcome', () => {
  it('belong together by the parent link, wherever the result stands and whatever its name', () => {
    const events = [
      call('a', 'search', {}, { under: 'start' }),
      call('b', 'search', {}, { under: 'start' }),
      result('b-result', 'search', 2, { under: 'b' }),
      result('a-result', 'renamed', 1, { under: 'a' }),
    ]
    const { calls, deliveries } = recording(events).plan()
    expect(calls.map(({ outcome }) => outcome !== null)).toEqual([true, true])
    expect(deliveries.map(delivery => delivery.call + 1)).toEqual([2, 1])
  })

  it('the first of two results counts', () => {
    const events = [
      call('a', 'search'),
      result('r1', 'search', 1, { under: 'a' }),
      result('r2', 'search', 2, { under: 'a' }),
    ]
    expect(recording(events).plan().deliveries).toHaveLength(1)
  })

  it('a result that stands before its call is none', () => {
    expect(outcomes([result('r', 'search', 1, { under: 'a' }), call('a', 'search')])).toEqual([
      '1 search unanswered',
    ])
  })

  it('a model is answered by its response, else by its error, never by name', () => {
    const events = [
      request('a', 'gpt'),
      response('a-response', 'gpt', 1, { under: 'a' }),
      request('b', 'gpt'),
      error('b-error', 'RateLimitError', 'slow down', { under: 'b' }),
      request('c', 'gpt'),
      response('stray', 'gpt', 2),
    ]
    expect(outcomes(events)).toEqual(['1 gpt', '2 gpt failed', '3 gpt unanswered'])
  })

  it('an error that stands before the response does not win over it', () => {
    const events = [
      request('a', 'gpt'),
      error('e', 'Retry', 'again', { under: 'a' }),
      response('r', 'gpt', 1, { under: 'a' }),
    ]
    expect(outcomes(events)).toEqual(['1 gpt'])
  })
})

describe('old traces without parents', () => {
  it('pair a result with the call of its name before it', () => {
    const events = [call('a', 'search'), result('r1', 'search'), call('b', 'search'), result('r2', 'search')]
    expect(outcomes(events)).toEqual(['1 search', '2 search'])
  })

  it('look no further than the next call of the name: call, call, result, result', () => {
    const events = [call('a', 'search'), call('b', 'search'), result('r1', 'search'), result('r2', 'search')]
    const { calls } = recording(events).plan()
    expect(calls.map(({ outcome }) => outcome !== null)).toEqual([false, true])
    expect(recording(events).plan().deliveries).toHaveLength(1)
  })

  it('pass over results of other names, and take no result that has its own call', () => {
    const events = [
      call('a', 'search'),
      call('b', 'read'),
      result('r1', 'read', 1, { under: 'b' }),
      result('r2', 'read', 2),
      result('r3', 'search', 3),
    ]
    const { calls, deliveries } = recording(events).plan()
    expect(calls.every(({ outcome }) => outcome !== null)).toBe(true)
    expect(deliveries.map(delivery => delivery.call + 1)).toEqual([2, 1])
  })

  it('a later call of the name that has its own result ends the search, too', () => {
    const events = [
      call('a', 'search'),
      call('b', 'search'),
      result('r1', 'search', 1, { under: 'b' }),
      result('r2', 'search', 2),
    ]
    expect(outcomes(events)).toEqual(['1 search unanswered', '2 search'])
  })
})

describe('a call made inside the body of another', () => {
  it('hangs below the call event and was made while that was open', () => {
    const events = [
      call('outer', 'plan', {}, { under: 'start' }),
      call('inner', 'search', {}, { under: 'outer' }),
      call('deep', 'read', {}, { under: 'inner' }),
      result('r3', 'read', 1, { under: 'deep' }),
      result('r2', 'search', 1, { under: 'inner' }),
      result('r1', 'plan', 1, { under: 'outer' }),
    ]
    expect(outcomes(events)).toEqual(['1 plan', '2 search inside 1', '3 read inside 2'])
  })

  it('also through a state change made in that body', () => {
    const events = [
      call('outer', 'plan'),
      { id: 'state', type: 'state_change', key: 'k', before: null, after: 1, under: 'outer' } as const,
      call('inner', 'search', {}, { under: 'state' }),
      result('r1', 'plan', 1, { under: 'outer' }),
    ]
    expect(outcomes(events)[1]).toBe('2 search inside 1 unanswered')
  })

  it('is not one that follows in a chain of parents: below the result, or below the call after its end', () => {
    const events = [
      call('a', 'plan'),
      result('ra', 'plan', 1, { under: 'a' }),
      call('b', 'search', {}, { under: 'ra' }),
      result('rb', 'search', 1, { under: 'b' }),
      call('c', 'read', {}, { under: 'a' }),
      result('rc', 'read', 1, { under: 'c' }),
    ]
    expect(outcomes(events)).toEqual(['1 plan', '2 search', '3 read'])
  })

  it('lies in the outer body when it hangs below the result of a call in there', () => {
    const events = [
      call('outer', 'plan'),
      call('one', 'search', {}, { under: 'outer' }),
      result('r-one', 'search', 1, { under: 'one' }),
      call('two', 'read', {}, { under: 'r-one' }),
      result('r-two', 'read', 1, { under: 'two' }),
      result('r', 'plan', 1, { under: 'outer' }),
    ]
    expect(outcomes(events)).toEqual(['1 plan', '2 search inside 1', '3 read inside 1'])
  })

  it('is told so in a bundle of the Python recorder', () => {
    expect(told(fixture('nested_tool').plan()).join()).toMatch(/inside 1/)
  })
})

describe('a run that broke off', () => {
  it('has calls without answer, no end, and no output to compare', () => {
    const plan = broken([
      call('a', 'search'),
      result('r', 'search', 1, { under: 'a' }),
      call('b', 'read'),
    ]).plan()
    expect(told(plan)).toEqual(['1 search', '2 read unanswered'])
    expect(plan.end).toBeNull()
  })
})

const GOLDEN = resolve(import.meta.dirname, '../../../../shared/conformance/golden')
const hasGolden = existsSync(GOLDEN)
if (!hasGolden) process.stderr.write(`SKIPPED: no golden bundles at ${GOLDEN}\n`)

describe.skipIf(!hasGolden)('the golden bundles of the Python implementation', () => {
  it('do not hide the tool call that merely follows the model in a chain of parents', () => {
    expect(told(reading(`${GOLDEN}/successful_run.sftrace`).plan())).toEqual([
      '1 gpt-test',
      '2 weather_lookup',
    ])
  })

  it('pair a failing tool and a failing model', () => {
    expect(told(reading(`${GOLDEN}/failed_tool_run.sftrace`).plan()).at(-1)).toMatch(/failed$/)
    expect(told(reading(`${GOLDEN}/failed_llm_run.sftrace`).plan()).at(-1)).toMatch(/failed$/)
  })

  it('leave the call of a partial run without answer', () => {
    expect(told(reading(`${GOLDEN}/legacy_v01.sftrace`).plan())).toEqual(['1 search unanswered'])
  })
})
