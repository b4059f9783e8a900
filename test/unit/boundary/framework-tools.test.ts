/** Tools of real frameworks, wrapped where they do their work. */
import { DynamicStructuredTool, tool as langChainTool, StructuredTool } from '@langchain/core/tools'
import { tool as agentsTool, RunContext, webSearchTool } from '@openai/agents'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { traceTools } from '../../../src/boundary/trace-tools.ts'
import { besideHost } from './fake-host.ts'

const schema = z.object({ city: z.string(), days: z.number().default(1) })
const about = { name: 'weather', description: 'the weather of a city', schema }

class Weather extends StructuredTool {
  readonly name = about.name
  readonly description = about.description
  readonly schema = schema
  protected override async _call({ city, days }: z.output<typeof schema>): Promise<string> {
    return `sunny in ${city} for ${days}`
  }
}

describe('a tool of LangChain', () => {
  for (const [what, make] of [
    ['made by tool()', () => langChainTool(async ({ city, days }) => `sunny in ${city} for ${days}`, about)],
    [
      'that is a DynamicStructuredTool',
      () =>
        new DynamicStructuredTool({
          ...about,
          func: async ({ city, days }) => `sunny in ${city} for ${days}`,
        }),
    ],
    ['of a class of its own', () => new Weather()],
  ] as const) {
    it(`${what} is recorded with its checked input, no config, and its own name`, async () => {
      const weather = make()
      expect(traceTools({ anyName: weather }).anyName).toBe(weather)
      traceTools([weather])
      const { signal } = new AbortController()
      const { calls, result } = besideHost(() =>
        (weather as Weather).invoke({ city: 'Oslo' }, { signal, configurable: { secret: 'x' } }),
      )
      expect(await result).toBe('sunny in Oslo for 1')
      expect(calls).toHaveLength(1)
      expect(calls[0]).toMatchObject({
        target: { kind: 'tool', name: 'weather' },
        input: { city: 'Oslo', days: 1 },
      })
      expect(calls[0]!.signal?.aborted).toBe(false)
    })
  }

  it('still refuses what its schema does not allow, without a call', async () => {
    const weather = traceTools(new Weather())
    const { calls, result } = besideHost(() => weather.invoke({ city: 7 } as never))
    await expect(result).rejects.toThrow(/did not match expected schema/)
    expect(calls).toEqual([])
  })
})

describe('a tool of @openai/agents', () => {
  const weather = () =>
    agentsTool({
      ...{ name: 'weather', description: about.description, parameters: z.object({ city: z.string() }) },
      execute: async ({ city }) => `sunny in ${city}`,
    })

  it('is recorded with its parsed input, no context, and its own name', async () => {
    const traced = traceTools([weather(), webSearchTool()])
    traceTools(traced)
    const { signal } = new AbortController()
    const { calls, result } = besideHost(() =>
      (traced[0] as ReturnType<typeof weather>).invoke(new RunContext({ secret: 'x' }), '{"city":"Oslo"}', {
        signal,
      } as never),
    )
    expect(await result).toBe('sunny in Oslo')
    expect(calls).toMatchObject([{ target: { kind: 'tool', name: 'weather' }, input: { city: 'Oslo' } }])
    expect(calls[0]!.signal).toBe(signal)
  })

  it('that the model called with no JSON has the text as its input', () => {
    const traced = traceTools(weather())
    const { calls } = besideHost(() => void traced.invoke(new RunContext(), 'Oslo!'))
    expect(calls).toMatchObject([{ input: { args: ['Oslo!'] } }])
  })
})
