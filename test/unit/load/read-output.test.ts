import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readOutput } from '../../../src/load/read-output.ts'

describe('the output of a run', () => {
  it.each([[null], [undefined], ['text'], [3], [{ a: [1] }], [[1, 2]], [new Map()]])(
    'is %j as it is',
    async value => {
      expect(await readOutput(value)).toBe(value)
    },
  )

  it('is what an async generator yields', async () => {
    async function* steps() {
      yield 'one'
      yield { two: 2 }
      return 'dropped'
    }
    expect(await readOutput(steps())).toEqual(['one', { two: 2 }])
  })

  it('is the JSON of a Response that says it is JSON, else its text', async () => {
    expect(await readOutput(Response.json({ a: 1 }))).toEqual({ a: 1 })
    expect(
      await readOutput(new Response('{"a":1}', { headers: { 'content-type': 'application/problem+json' } })),
    ).toEqual({ a: 1 })
    expect(await readOutput(new Response('{"a":1}'))).toBe('{"a":1}')
    expect(
      await readOutput(new Response('{broken', { headers: { 'content-type': 'application/json' } })),
    ).toBe('{broken')
    expect(await readOutput(new Response(null, { status: 204 }))).toBe('')
  })

  it('is the text of a stream, a Node one or a web one', async () => {
    expect(await readOutput(Readable.from(['he', 'llo'], { objectMode: false }))).toBe('hello')
    expect(await readOutput(ReadableStream.from(['he', 'llo']))).toBe('hello')
  })

  it('is the array of the values of a stream of objects', async () => {
    expect(await readOutput(Readable.from([{ a: 1 }, { a: 2 }]))).toEqual([{ a: 1 }, { a: 2 }])
    expect(await readOutput(ReadableStream.from(['text', { a: 2 }]))).toEqual(['text', { a: 2 }])
  })

  it('fails as its stream fails', async () => {
    async function* broken() {
      yield 1
      throw new RangeError('half way')
    }
    await expect(readOutput(broken())).rejects.toThrow(new RangeError('half way'))
  })

  it('is the same text wherever a stream of bytes is cut', async () => {
    const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), cuts, async (text, places) => {
        const bytes = new TextEncoder().encode(text)
        const sorted = [0, ...places.sort((a, b) => a - b), bytes.length]
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
        expect(await readOutput(ReadableStream.from(chunks))).toBe(text)
      }),
    )
  })
})
