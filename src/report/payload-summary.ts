/** Payloads in a few words: how long a chat is, what a model answered. Anything unknown is shown as JSON. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { isRequest, requestAddress } from '../trace/request-address.ts'
import { count } from './phrases.ts'
import type { SafeOptions } from './safe-text.ts'
import { SANE_LIMIT, valueText } from './value-text.ts'

/** `2 messages, 3 tools` for a chat of any provider; null for what is none. */
export function chatSummary(input: Json): string | null {
  const request = requestOf(input)
  const messages = lengthOf(request?.messages) ?? lengthOf(request?.input) ?? lengthOf(request?.contents)
  if (messages === null) return null
  const tools = lengthOf(request?.tools) ?? 0
  return [count(messages, 'message'), ...(tools > 0 ? [count(tools, 'tool')] : [])].join(', ')
}

/** `calls order_status` or the answer's text; null for what is no answer of a chat. */
export function replySummary(output: Json, options: SafeOptions): string | null {
  const parts = partsOf(output)
  const calls = parts.map(calledTool).filter(name => name !== null)
  if (calls.length > 0) return `calls ${calls.join(', ')}`
  const text = parts.map(textOf).filter(part => part !== null)
  return text.length === 0 ? null : valueText(text.join(' '), SANE_LIMIT, options)
}

/** `/now?city=Lisbon` and what else was sent, for a request over HTTP; null for the input of any other tool. */
export function requestSummary(label: string, input: Json, options: SafeOptions): string | null {
  const request = requestAddress(label, input)
  if (request === null) return null
  const address = valueText(request.address, SANE_LIMIT, options).slice(1, -1)
  return [address, ...shown(request.sent, options)].join(' ')
}

/** `200 {"celsius": 24}` for its answer: headers tell little. */
export function answerSummary(label: string, output: Json, options: SafeOptions): string | null {
  if (!isRequest(label) || !isJsonObject(output) || typeof output.status !== 'number') return null
  const { status, headers: _, ...content } = output
  return [String(status), ...shown(content, options)].join(' ')
}

/** A body by itself, anything else by its name. */
function shown({ body, ...more }: JsonObject, options: SafeOptions): string[] {
  const parts = [...(body === undefined ? [] : [body]), ...(Object.keys(more).length > 0 ? [more] : [])]
  return parts.map(part => valueText(part, SANE_LIMIT, options))
}

/** Some recorders keep the arguments of the SDK's method, one level further down. */
function requestOf(input: Json): JsonObject | null {
  if (!isJsonObject(input)) return null
  const { request } = input
  return request !== undefined && isJsonObject(request) ? request : input
}

function lengthOf(value: Json | undefined): number | null {
  return Array.isArray(value) ? value.length : null
}

/** Parts of an answer: of OpenAI's chat (`choices[0].message`) and responses (`output`), of Anthropic's (`content`), or a text. */
function partsOf(output: Json): readonly Json[] {
  if (typeof output === 'string') return [output]
  if (!isJsonObject(output)) return []
  const message = member(first(output.choices), 'message')
  if (message !== null) return [...list(member(message, 'tool_calls')), member(message, 'content')]
  const blocks = [...list(output.content ?? null), ...list(output.output ?? null)]
  return blocks.length > 0 ? blocks : [output.text ?? null]
}

function first(value: Json | undefined): Json {
  return Array.isArray(value) ? (value[0] ?? null) : null
}

function list(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function member(value: Json, name: string): Json {
  return isJsonObject(value) ? (value[name] ?? null) : null
}

function calledTool(part: Json): string | null {
  const type = member(part, 'type')
  const name = type === 'function' ? member(member(part, 'function'), 'name') : member(part, 'name')
  const isCall = type === 'function' || type === 'tool_use' || type === 'function_call'
  return isCall && typeof name === 'string' ? name : null
}

function textOf(part: Json): string | null {
  if (typeof part === 'string') return part
  const text = member(part, 'text')
  return typeof text === 'string' ? text : null
}
