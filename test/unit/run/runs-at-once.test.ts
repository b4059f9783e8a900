import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { record, stepforkMode } from '../../../src/index.ts'
import { answer, calls, code, eventsOf, freshFolder, freshPath, orderStatus } from './desk.ts'

describe('inside a recording', () => {
  it('record() is transparent: one run, one bundle', async () => {
    const [outer, inner] = [freshPath(), freshPath()]
    await record({ agent: 'outer', output: outer }, async () => {
      expect(stepforkMode()).toBe('record')
      expect(await record({ agent: 'inner', output: inner, input: 'A-17' }, answer)).toMatchObject({
        ref: 'R-A-17',
      })
    })
    expect(existsSync(inner)).toBe(false)
    expect(calls(outer)).toHaveLength(4)
    expect(stepforkMode()).toBe('off')
  })
})

describe('two recordings at once', () => {
  it('each have their own calls, told apart by async context', async () => {
    const [one, two] = [freshPath(), freshPath()]
    const runs = ['one', 'two'].map((id, index) =>
      record({ agent: id, output: [one, two][index]!, input: id }, answer),
    )
    expect((await Promise.all(runs)).map(({ ref }) => ref)).toEqual(['R-one', 'R-two'])
    for (const path of [one, two]) expect(calls(path)).toEqual(['order_status', 'gpt', 'round', 'refund'])
  })

  it('also when the second begins while the first is under way, as in a server', async () => {
    const [one, two] = [freshPath(), freshPath()]
    let release!: () => void
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const first = record({ agent: 'one', output: one }, async () => {
      await held
      return orderStatus({ id: 'one' })
    })
    await new Promise(resolve => setTimeout(resolve, 20))
    await record({ agent: 'two', output: two }, () => orderStatus({ id: 'two' }))
    release()
    await first
    expect(eventsOf(one).find(({ type }) => type === 'tool_call')).toMatchObject({ input: { id: 'one' } })
    expect(eventsOf(two).find(({ type }) => type === 'tool_call')).toMatchObject({ input: { id: 'two' } })
    expect([calls(one), calls(two)]).toEqual([['order_status'], ['order_status']])
  })

  it('do not guess to which of them a call belongs that lost its context', async () => {
    const folder = freshFolder()
    const jobs: (() => void)[] = []
    const outcomes: unknown[] = []
    const timer = setInterval(() => jobs.splice(0).forEach(job => void job()), 1)
    const viaQueue = () =>
      new Promise<void>(done => {
        jobs.push(() => {
          try {
            void orderStatus({ id: 'lost' })
          } catch (error) {
            outcomes.push(error)
          }
          done()
        })
      })
    await Promise.all(
      ['a', 'b'].map(agent => record({ agent, output: join(folder, `${agent}.sftrace`) }, viaQueue)),
    )
    clearInterval(timer)
    expect(outcomes).toEqual([code('SESSION_AMBIGUOUS'), code('SESSION_AMBIGUOUS')])
    rmSync(folder, { recursive: true })
  })
})
