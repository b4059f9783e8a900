/** Mode manual in the engine: what a person says goes before what the recording says. */
import { describe, expect, it } from 'vitest'
import { givenBody } from '../../../src/run/given-body.ts'

async function read(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const parts: unknown[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('an answer given by hand', () => {
  it('comes at once to a synchronous call, by a promise to another', async () => {
    expect(givenBody(7, 'sync', null)()).toBe(7)
    expect(givenBody(7, 'async', null)()).toBeInstanceOf(Promise)
    expect(await givenBody(7, 'async', null)()).toBe(7)
  })

  it('is decoded as a recorded one is', () => {
    expect(givenBody('2026-12-01', 'sync', text => new Date(text as string))()).toEqual(
      new Date('2026-12-01'),
    )
  })

  it('comes chunk by chunk to a stream', async () => {
    const value = { yielded: ['a', 'b'], returned: 'c' }
    expect(await read(givenBody(value, 'stream', null)() as AsyncIterable<unknown>)).toEqual(['a', 'b'])
    const promised = (await givenBody(value, 'promise of a stream', null)()) as AsyncIterable<unknown>
    expect(await read(promised)).toEqual(['a', 'b'])
  })

  it('is what a stream returns when it is no list of chunks', async () => {
    const stream = givenBody('all', 'stream', null)() as AsyncIterator<unknown>
    expect(await stream.next()).toEqual({ done: true, value: 'all' })
  })
})
