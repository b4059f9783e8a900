import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { liveKey } from '../../../src/match/match-keys.ts'
import type { PlanOptions } from '../../../src/plan/plan-of.ts'
import {
  altered,
  call,
  error,
  fixture,
  made,
  type Noted,
  origin,
  type Recorded,
  reading,
  recording,
  request,
  response,
  result,
} from './recordings.ts'

const exact = { jsonTexts: false }

const treatments = (recorded: Recorded, options: Partial<PlanOptions> = {}): string[] =>
  recorded
    .plan(options)
    .calls.map(({ treatment, refusal }) => `${treatment}${refusal === null ? '' : ` ${refusal}`}`)

const answered = (id: string, name: string, more: Partial<Noted> = {}): Noted[] => [
  { ...call(id, name, { q: id }), ...more } as Noted,
  result(`r-${id}`, name, { found: id }, { under: id }),
]

describe('what a replay does with each call', () => {
  it('serves them all in mode frozen', () => {
    expect(treatments(recording([...answered('a', 'search'), ...answered('b', 'read')]))).toEqual([
      'serve',
      'serve',
    ])
  })

  it('refuses them all in mode forbidden', () => {
    expect(treatments(recording(answered('a', 'search')), { mode: 'forbidden' })).toEqual(['refuse mode'])
  })

  it('runs those named, a model by provider and name', () => {
    const recorded = recording([
      ...answered('a', 'search'),
      ...answered('b', 'read'),
      request('m', 'gpt'),
      response('r-m', 'gpt', 1, { under: 'm' }),
    ])
    expect(treatments(recorded, { mode: 'hybrid', live: ['read', 'openai/gpt'] })).toEqual([
      'serve',
      'run',
      'run',
    ])
  })

  it('refuses a call recorded with policy forbidden or manual, even one that is named to run', () => {
    const policies = ['frozen', 'live', 'manual', 'forbidden', 'derived'] as const
    const events = policies.flatMap(policy => answered(policy, policy, { replay_policy: policy }))
    const plan = ['serve', 'serve', 'refuse policy', 'refuse policy', 'serve']
    expect(treatments(recording(events))).toEqual(plan)
    expect(treatments(recording(events), { mode: 'hybrid', live: ['forbidden'] })).toEqual(plan)
  })
})

describe('a payload that is not what it was', () => {
  const events = [...answered('a', 'search'), ...answered('b', 'read')]

  it('is served while the file digests vouch for it', () => {
    const recorded = recording(events)
    expect(recorded.bundle.integrity).toBe('verified')
    expect(treatments(recorded)).toEqual(['serve', 'serve'])
  })

  it.each([
    ['an input', (text: string) => text.replace('"input":{"q":"a"}', '"input":{"q":"z"}')],
    ['an output', (text: string) => text.replace('"output":{"found":"a"}', '"output":{"found":"z"}')],
  ])('refuses the call when %s was altered, and only that call', (_what, change) => {
    const recorded = altered(recording(events), change)
    expect(recorded.bundle.integrity).toBe('mismatch')
    expect(treatments(recorded)).toEqual(['refuse altered-recording', 'serve'])
  })

  it('refuses a failed model whose error details were altered', () => {
    const failed = recording([request('a', 'gpt'), error('e', 'E', 'm', { under: 'a', details: { n: 1 } })])
    expect(treatments(altered(failed, text => text.replace('{"n":1}', '{"n":2}')))).toEqual([
      'refuse altered-recording',
    ])
  })

  it('refuses the call whose output became a number that is too large', () => {
    const change = (text: string): string => text.replace('"output":{"found":"a"}', '"output":1e999')
    expect(treatments(altered(recording(events), change))).toEqual(['refuse altered-recording', 'serve'])
  })

  it('is named with file and event when an input became a number that is too large', () => {
    const change = (text: string): string => text.replace('"input":{"q":"a"}', '"input":1e999')
    expect(() => treatments(altered(recording(events), change))).toThrow(
      expect.objectContaining({
        code: 'BUNDLE_INVALID',
        message: expect.stringMatching(
          /events\.jsonl: the input of event \S+, step 1: the number 1e999 .*too large/,
        ),
      }),
    )
  })

  it('counts as the same when only its spelling changed', () => {
    const spaced = (text: string): string => text.replace('{"q":"a"}', '{ "q" : "\\u0061" }')
    expect(treatments(altered(recording(events), spaced))).toEqual(['serve', 'serve'])
  })

  it('is found by its own hash in a bundle without digests, and passes where there is no hash', () => {
    const recorded = recording(events)
    rmSync(join(recorded.bundle.path, 'integrity.json'))
    const changed = altered(recorded, text => text.replace('{"found":"a"}', '{"found":"z"}'))
    expect(treatments(changed)).toEqual(['refuse altered-recording', 'serve'])
    const unhashed = altered(changed, text => text.replace(/"(in|out)put_hash":"\w+"/g, '"$1put_hash":null'))
    expect(treatments(unhashed)).toEqual(['serve', 'serve'])
  })

  it('of null has a hash like any other, so that tools which return nothing can be replayed', () => {
    const { bundle } = fixture('null_values')
    expect(treatments(reading(bundle.path))).not.toContain('refuse altered-recording')
  })
})

describe('the keys of a recorded input', () => {
  const keysOf = (recorded: Recorded) => recorded.plan().calls[0]!.keys

  it('are those of the redacted input', () => {
    const recorded = recording([call('a', 'login', { user: 'u', password: 'hunter2' })])
    expect(keysOf(recorded)).toEqual([liveKey({ user: 'u', password: '[REDACTED]' }, exact)])
  })

  it('find an integer beyond 2^53 as a bigint and as a number', () => {
    const keys = keysOf(recording([call('a', 'get', { id: 9007199254740993n })], ours('a')))
    expect(keys).toContain(liveKey({ id: 9007199254740993n }, exact))
    expect(keys).toContain(liveKey({ id: Number(9007199254740993n) }, exact))
    expect(keys).not.toContain(liveKey({ id: 9007199254740992n }, exact))
  })

  it('take a text that is JSON as JSON where the bundle does not keep the order of members', () => {
    const events = [call('a', 'post', { body: '{"a": 1, "b": 2}' })]
    const reordered = { body: '{"b":2,"a":1}' }
    expect(keysOf(recording(events))).toEqual([liveKey(reordered, { jsonTexts: true })])
    expect(keysOf(recording(events, ours('a')))).not.toContain(liveKey(reordered, exact))
  })
})

describe('the end of the recording', () => {
  it('has its output, its time and its failure', () => {
    const end = { id: 'end', type: 'run_end', run_status: 'failed', output: null } as const
    const failure = { type: 'ValueError', message: 'boom', step: 1 }
    const manifest = { ...recording([]).bundle.manifest, status: 'failed' as const, failure }
    const { end: planned } = recording([error('e', 'ValueError', 'boom', { under: 'start' }), end], {
      manifest,
    }).plan()
    expect(planned).toMatchObject({
      status: 'failed',
      at: 2,
      failure: { type: 'ValueError', message: 'boom' },
    })
  })

  it('counts a null output only where the recording can tell it from none', () => {
    expect(recording([]).plan().nullOutputCounts).toBe(false)
    expect(recording([call('a', 't')], ours('a')).plan().nullOutputCounts).toBe(true)
  })
})

describe('a result that JSON lacks', () => {
  const events = [call('a', 'search'), result('r-a', 'search', null, { under: 'a' })]
  const resultId = recording(events).bundle.events[2]!.id
  const withValue = (is: 'undefined' | 'lost') =>
    recording(events, { values: [{ event: resultId, member: 'output', path: '', is }] })

  it('is served as undefined', () => {
    expect(withValue('undefined').plan().calls[0]).toMatchObject({
      resultMarks: [{ path: '', is: 'undefined' }],
      treatment: 'serve',
    })
  })

  it('is refused when it was lost', () => {
    expect(treatments(withValue('lost'))).toEqual(['refuse lost'])
  })
})

function ours(event: string) {
  return origin([made(1, event)])
}
