/** Checked by the compiler (`npm run typecheck`): wrapping keeps types, and wrong options do not compile. Never run. */
import { tool as langChainTool } from '@langchain/core/tools'
import { tool as agentsTool } from '@openai/agents'
import { tool } from 'ai'
import { expectTypeOf } from 'vitest'
import { z } from 'zod'
import { llmRequest, record, traceTool, traceTools } from '../../../src/index.ts'
import { recorded, replay } from '../../../src/testing.ts'

const add = (a: number, b = 2): number => a + b
expectTypeOf(traceTool('add', add, { params: { a: undefined, b: 2 } })).toEqualTypeOf<typeof add>()

const order = async ({ order_id }: { order_id: string }): Promise<{ state: string }> => ({ state: order_id })
expectTypeOf(traceTool('order_status', order)).toEqualTypeOf<typeof order>()
expectTypeOf(traceTool('order_status', order, { errors: [TypeError] })).toEqualTypeOf<typeof order>()

async function* lines(count: number): AsyncGenerator<string, number> {
  yield 'line'
  return count
}
expectTypeOf(traceTool('lines', lines)).toEqualTypeOf<typeof lines>()

function generic<T>(value: T): T {
  return value
}
expectTypeOf(traceTool('generic', generic)('x' as const)).toEqualTypeOf<'x'>()

traceTool('when', async () => new Date(), {
  encode: date => {
    expectTypeOf(date).toEqualTypeOf<Date>()
    return date.toISOString()
  },
  decode: text => new Date(text as string),
})
// @ts-expect-error: what decode gives is what the tool returns
traceTool('when', async () => new Date(), { decode: text => String(text) })
// @ts-expect-error: there is no such policy
traceTool('add', add, { policy: 'never' })
// @ts-expect-error: a class of errors, not an error
traceTool('add', add, { errors: [new TypeError('x')] })

const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, degrees: 24 }),
})
const tools = { weather, search: async (q: string): Promise<readonly string[]> => [q] }
expectTypeOf(traceTools(tools)).toEqualTypeOf<typeof tools>()
expectTypeOf(traceTools(weather)).toEqualTypeOf<typeof weather>()
const lookUp = langChainTool(async ({ city }) => city.length, {
  name: 'look_up',
  schema: z.object({ city: z.string() }),
})
const book = agentsTool({
  name: 'book',
  description: 'books a room',
  parameters: z.object({ nights: z.number() }),
  execute: async ({ nights }) => nights,
})
expectTypeOf(traceTools(lookUp)).toEqualTypeOf<typeof lookUp>()
expectTypeOf(traceTools([lookUp, book] as const)).toEqualTypeOf<readonly [typeof lookUp, typeof book]>()
expectTypeOf(traceTools({ book }).book).toEqualTypeOf<typeof book>()
expectTypeOf(traceTools([add, order] as const)).toEqualTypeOf<readonly [typeof add, typeof order]>()

expectTypeOf(llmRequest({ model: 'gpt', input: 1 }, async () => ({ text: 'x' }))).toEqualTypeOf<
  Promise<{ text: string }>
>()
expectTypeOf(llmRequest({ model: 'gpt', input: 1 }, () => 7)).toEqualTypeOf<number>()

const answer = async (question: string): Promise<{ answer: string }> => ({ answer: question })
expectTypeOf(record({ agent: 'a', input: 'q' }, answer)).toEqualTypeOf<Promise<{ answer: string }>>()
expectTypeOf(record({ agent: 'a', args: [1, 2] }, add)).toEqualTypeOf<Promise<number>>()
// @ts-expect-error: the input is the function's argument
void record({ agent: 'a', input: 7 }, answer)
expectTypeOf(recorded('a.sftrace', answer, 'q')).toEqualTypeOf<Promise<{ answer: string }>>()
// @ts-expect-error: the arguments are those of the function
void recorded('a.sftrace', answer, 7)
void replay('a.sftrace', { agent: answer })
void replay('a.sftrace', { agent: './agent.ts#run' })
