import { type ToolExecutionOptions, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { traceTools } from '../../../src/boundary/trace-tools.ts'
import { besideHost } from './fake-host.ts'

const weather = () =>
  tool({
    description: 'the weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `sunny in ${city}`,
  })

const options: ToolExecutionOptions = { toolCallId: 'call_1', messages: [] }

const refused = (tools: unknown, message: RegExp): void =>
  expect(() => traceTools(tools)).toThrow(
    expect.objectContaining({ code: 'TOOL_SHAPE', message: expect.stringMatching(message) }),
  )

describe('a set of tools', () => {
  it('as a record is wrapped in place, each under its name there', () => {
    const tools = { search: (q: { text: string }) => q.text, weather: weather() }
    expect(traceTools(tools)).toBe(tools)
    const { calls } = besideHost(() => {
      tools.search({ text: 'x' })
      void tools.weather.execute!({ city: 'Lisbon' }, options)
    })
    expect(calls.map(({ target, input }) => [target, input])).toEqual([
      [{ kind: 'tool', name: 'search' }, { text: 'x' }],
      [{ kind: 'tool', name: 'weather' }, { city: 'Lisbon' }],
    ])
  })

  it('as a list is wrapped by the names of the functions and tools in it', () => {
    const [search, read] = traceTools([async function search() {}, { name: 'read', execute: () => 1 }])
    const { calls } = besideHost(() => {
      void (search as () => unknown)()
      ;(read as { execute(): unknown }).execute()
    })
    expect(calls.map(({ target }) => target)).toMatchObject([{ name: 'search' }, { name: 'read' }])
  })

  it('may be one function, or one tool with a name or an id', () => {
    function search(): number {
      return 1
    }
    const one = traceTools(search)
    const mastra = traceTools({ id: 'read-file', execute: () => 2 })
    const { calls } = besideHost(() => [one(), mastra.execute()])
    expect(calls.map(({ target }) => target)).toMatchObject([{ name: 'search' }, { name: 'read-file' }])
  })

  it('wrapped twice is wrapped once', () => {
    const tools = traceTools(traceTools({ weather: weather(), search: () => 1 }))
    const { calls } = besideHost(() => {
      tools.search()
      void tools.weather.execute!({ city: 'Lisbon' }, options)
    })
    expect(calls).toHaveLength(2)
  })
})

describe('a tool of the ai package', () => {
  it('runs as before outside a run, and keeps its schema', async () => {
    const { weather: traced } = traceTools({ weather: weather() })
    expect(await traced.execute!({ city: 'Oslo' }, options)).toBe('sunny in Oslo')
    expect(traced).toMatchObject({ description: 'the weather of a city' })
    expect(traced.inputSchema).toBeDefined()
  })

  it('is recorded with its first argument only; the signal in the second is honoured', () => {
    const tools = traceTools({ weather: weather() })
    const { signal } = new AbortController()
    const { calls } = besideHost(
      () => void tools.weather.execute!({ city: 'Oslo' }, { ...options, abortSignal: signal }),
    )
    expect(calls[0]).toMatchObject({ input: { city: 'Oslo' } })
    expect(calls[0]!.signal).toBe(signal)
  })

  it('that nothing in this process executes is left as it is', () => {
    const ask = tool({ inputSchema: z.object({ question: z.string() }) })
    const tools = { ask, weather: weather() }
    expect(traceTools(tools).ask).toBe(ask)
  })
})

describe('what traceTools does not know', () => {
  it('is an error that names it and its members', () => {
    refused(
      { search: { run: () => 1, schema: {} } },
      /^traceTools does not know the shape of search \(run, schema\)/,
    )
    refused({ search: 'text' }, /search \(string\)/)
    refused([{ execute: () => 1 }], /the tool at index 0, which has no name/)
    refused({ execute: () => 1 }, /a single tool, which has no name/)
    refused(() => 1, /a single function, which has no name/)
    refused(null, /the argument of traceTools/)
  })
})
