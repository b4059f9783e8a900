import { describe, expect, it } from 'vitest'
import { judge } from './judging.ts'

const desk = [
  { name: 'order_status', input: { id: 'A-17' }, result: { state: 'delivered' } },
  {
    name: 'issue_refund',
    input: { id: 'A-17' },
    error: { name: 'RangeError', message: 'over', members: {} },
  },
  { name: 'close_ticket', input: { id: 'T-1' }, result: 'closed' },
]
const all = { evidence: { detail: 'all' } } as const

describe('with all evidence', () => {
  const { calls } = judge(
    desk,
    live => {
      live.matches(1, { input: { id: 'A-17' }, site: { frames: ['desk.ts'] } })
      live.matches(2, { input: { id: 'A-17' } })
      live.refused('notify', { to: 'owner' })
      live.completes()
    },
    all,
  )
  const sidesOf = (label: string) => calls.find(call => call.label === label)?.sides

  it('a call that matched has both sides: input, output, times, parent', () => {
    expect(sidesOf('order_status')).toEqual({
      recorded: {
        input: { id: 'A-17' },
        output: { state: 'delivered' },
        error: null,
        at: 0,
        endedAt: 1,
        parent: null,
      },
      actual: {
        input: { id: 'A-17' },
        output: { state: 'delivered' },
        error: null,
        at: 1,
        endedAt: 1,
        parent: null,
      },
    })
  })

  it('a call that matched has the line of the code that made it', () => {
    expect(calls[0]!.source).toMatchObject({ file: 'desk.ts' })
  })

  it('a call that fails as then has the error in the place of an output', () => {
    const error = { name: 'RangeError', message: 'over' }
    expect(sidesOf('issue_refund')).toMatchObject({
      recorded: { output: null, error },
      actual: { output: null, error },
    })
  })

  it('a call that was not made has no live side, one that is not recorded no recorded side', () => {
    expect(sidesOf('close_ticket')).toMatchObject({ recorded: { output: 'closed' }, actual: null })
    expect(sidesOf('notify')).toMatchObject({ recorded: null, actual: { input: { to: 'owner' } } })
  })

  it('a refused call has neither output nor error: nothing reached the agent but the refusal', () => {
    const refused = judge(
      desk,
      live => {
        live.matches(1, { verdict: 'refused', answer: 'refuse', input: { id: 'A-17' } })
        live.completes()
      },
      all,
    )
    expect(refused.calls[0]!.sides?.actual).toMatchObject({ output: null, error: null })
  })
})

it('without it calls have no sides', () => {
  const { calls } = judge(desk, live => {
    live.matches(1)
    live.completes()
  })
  expect(calls.every(call => call.sides === undefined)).toBe(true)
})
