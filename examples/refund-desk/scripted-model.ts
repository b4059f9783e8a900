/**
 * A stand-in for a model, so that this example needs no key and no network. It is a script, no intelligence: what it
 * says depends only on the tool results that it has been shown. Its requests and answers have the shape of OpenAI's chat
 * completions, so `complete(request)` may be replaced by `client.chat.completions.create(request)`.
 */
import { setTimeout as delay } from 'node:timers/promises'

export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface ToolSchema {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description: string
    readonly parameters: { readonly [name: string]: 'string' | 'number' }
  }
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly tool_calls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface Request {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
}

export type Reply = Extract<Message, { role: 'assistant' }>

export async function complete({
  messages,
}: Request): Promise<{ readonly choices: readonly [{ message: Reply }] }> {
  await delay(40)
  const results = messages.flatMap(message => (message.role === 'tool' ? [JSON.parse(message.content)] : []))
  return { choices: [{ message: reply(results) }] }
}

function reply([order, customer, refund]: readonly Record<string, unknown>[]): Reply {
  if (order === undefined || customer === undefined) {
    return asks(['order_status', { order_id: 'A-17' }], ['customer_history', { customer_id: 'c-9' }])
  }
  if (refund === undefined) return asks(['issue_refund', { order_id: order.order_id, amount: order.paid }])
  return {
    role: 'assistant',
    content: `I am sorry about the ${order.item}. We have paid ${refund.amount} ${refund.currency} back to you (${refund.refund_id}).`,
  }
}

function asks(...calls: readonly (readonly [name: string, input: object])[]): Reply {
  return {
    role: 'assistant',
    content: '',
    tool_calls: calls.map(([name, input]) => ({
      id: `call_${name}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
  }
}
