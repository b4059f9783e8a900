import { describe, expect, it } from 'vitest'
import { llmRequest } from '../../../src/boundary/llm-request.ts'
import { traceTool } from '../../../src/boundary/trace-tool.ts'
import { besideHost } from './fake-host.ts'

describe('a wrapped tool, outside a recording and a replay', () => {
  it('is the plain call: sync stays sync, async stays a promise, errors are the very errors', async () => {
    const error = new RangeError('no')
    expect(traceTool('add', (a: number, b: number) => a + b)(1, 2)).toBe(3)
    expect(await traceTool('read', async (id: string) => `<${id}>`)('x')).toBe('<x>')
    const failing = traceTool('fail', () => {
      throw error
    })
    expect(failing).toThrow(error)
  })

  it('keeps name, length and what else hangs on the function', () => {
    async function search(_text: string, _count: number): Promise<number> {
      return 1
    }
    const wrapped = traceTool('other', Object.assign(search, { schema: { type: 'object' } }))
    expect([wrapped.name, wrapped.length, wrapped.schema]).toEqual(['search', 2, { type: 'object' }])
  })

  it('keeps `this`', () => {
    class Shop {
      readonly prices = { tea: 3 }
      price = traceTool('price', function (this: Shop, name: 'tea') {
        return this.prices[name]
      })
    }
    expect(new Shop().price('tea')).toBe(3)
  })

  it('may be an async generator', async () => {
    const lines = traceTool('lines', async function* (count: number) {
      for (let line = 0; line < count; line++) yield line
      return 'end'
    })
    const read: number[] = []
    for await (const line of lines(2)) read.push(line)
    expect(read).toEqual([0, 1])
  })

  it('may not be a generator that is not async, and the sentence says what to do', () => {
    const wrap = () =>
      traceTool('lines', function* () {
        yield 1
      })
    expect(wrap).toThrow(
      expect.objectContaining({
        code: 'TOOL_SHAPE',
        message: expect.stringMatching(/^lines is/),
        hint: expect.stringMatching(/async function\*/),
      }),
    )
  })
})

describe('a wrapped tool, in a run', () => {
  it('hands over its name, its input and what it is', () => {
    const { calls } = besideHost(() => {
      traceTool('plain', (a: { q: number }) => a.q)({ q: 1 })
      void traceTool('later', async (a: number) => a, { params: ['a'], policy: 'forbidden' })(2)
      traceTool('lines', async function* () {})()
    })
    expect(calls.map(({ target, input, declared, policy }) => [target, input, declared, policy])).toEqual([
      [{ kind: 'tool', name: 'plain' }, { q: 1 }, 'plain', 'frozen'],
      [{ kind: 'tool', name: 'later' }, { a: 2 }, 'async', 'forbidden'],
      [{ kind: 'tool', name: 'lines' }, {}, 'stream', 'frozen'],
    ])
  })

  it('is answered by the run: its body runs only when the run says so', () => {
    let ran = 0
    const tool = traceTool('tool', () => ++ran)
    expect(
      besideHost(
        () => tool(),
        () => 'recorded',
      ).result,
    ).toBe('recorded')
    expect(ran).toBe(0)
    expect(besideHost(() => tool()).result).toBe(1)
  })

  it('wrapped twice is wrapped once, under its first name', () => {
    const once = traceTool('tool', () => 1)
    const twice = traceTool('again', once)
    expect(twice).toBe(once)
    expect(besideHost(() => twice()).calls).toHaveLength(1)
  })
})

describe('a model request', () => {
  it('is a plain call outside a run', async () => {
    expect(await llmRequest({ model: 'gpt', input: 1 }, async () => 'text')).toBe('text')
  })

  it('hands over provider, model and input', () => {
    const { calls, result } = besideHost(() =>
      llmRequest({ provider: 'openai', model: 'gpt', input: { q: 1 } }, () => 'text'),
    )
    expect(result).toBe('text')
    expect(calls).toMatchObject([
      { target: { kind: 'llm', provider: 'openai', model: 'gpt' }, input: { q: 1 }, declared: 'plain' },
    ])
  })

  it('has no provider when none is told', () => {
    const { calls } = besideHost(() => llmRequest({ model: 'local', input: null }, () => 1))
    expect(calls[0]!.target).toEqual({ kind: 'llm', provider: null, model: 'local' })
  })
})
