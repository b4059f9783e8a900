/** A refund desk: a model that may look up orders and customers, and give money back. */
import { llmRequest, traceTool } from 'stepfork'
import { complete, type Message, type Reply, type ToolCall, type ToolSchema } from './scripted-model.ts'
import { findCustomer, findOrder, refund } from './shop.ts'

const MODEL = 'gpt-4o-mini'
const MOST_ROUNDS = 6

const orderStatus = traceTool('order_status', findOrder)
const customerHistory = traceTool('customer_history', findCustomer)
const issueRefund = traceTool('issue_refund', refund)

const TOOLS: readonly ToolSchema[] = [
  schema('order_status', 'Looks up an order.', { order_id: 'string' }),
  schema('customer_history', 'Looks up a customer.', { customer_id: 'string' }),
  schema('issue_refund', 'Pays money back to the customer.', { order_id: 'string', amount: 'number' }),
]

const INSTRUCTIONS =
  'You are a refund desk. Look up the order and the customer before you decide. Refunds up to 50 EUR need no approval.'

/** Answers a customer's question. */
export async function answer(question: string): Promise<string> {
  const messages: Message[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: question },
  ]
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const reply = await ask(messages)
    messages.push(reply)
    if (reply.tool_calls === undefined) return reply.content
    // All at once: the order and the customer do not depend on each other.
    messages.push(...(await Promise.all(reply.tool_calls.map(runTool))))
  }
  throw new Error(`no answer after ${MOST_ROUNDS} rounds`)
}

async function ask(messages: readonly Message[]): Promise<Reply> {
  const input = { messages, tools: TOOLS }
  const completion = await llmRequest({ provider: 'openai', model: MODEL, input }, () =>
    complete({ model: MODEL, ...input }),
  )
  return completion.choices[0].message
}

async function runTool(call: ToolCall): Promise<Message> {
  const result = await dispatch(call.function.name, JSON.parse(call.function.arguments))
  return { role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) }
}

interface ToolInput {
  readonly order_id: string
  readonly customer_id: string
  readonly amount: number
}

function dispatch(name: string, { order_id, customer_id, amount }: ToolInput): Promise<object> {
  switch (name) {
    case 'order_status':
      return orderStatus({ order_id })
    case 'customer_history':
      return customerHistory({ customer_id })
    case 'issue_refund':
      return issueRefund({ order_id, amount })
    default:
      throw new Error(`the model asked for ${name}, which is no tool of this desk`)
  }
}

function schema(name: string, description: string, parameters: ToolSchema['function']['parameters']) {
  return { type: 'function', function: { name, description, parameters } } as const
}
