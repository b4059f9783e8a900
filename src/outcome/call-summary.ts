import { isJsonObject, type Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { PlannedCall } from '../plan/plan.ts'
import { requestAddress } from '../trace/request-address.ts'

const LONGEST = 400

/** A call's input in a few words: a chat by its counts, a request by its address, else JSON with a space after `:` and `,`. */
export function callSummary({ target }: Pick<PlannedCall, 'target'>, input: Json): string {
  const known = target.kind === 'llm' ? chatSummary(input) : requestSummary(target.name, input)
  return known ?? spaced(input).slice(0, LONGEST)
}

function requestSummary(toolName: string, input: Json): string | null {
  const request = requestAddress(toolName, input)
  if (request === null) return null
  const { body, ...more } = request.sent
  const sent = [...(body === undefined ? [] : [body]), ...(Object.keys(more).length > 0 ? [more] : [])]
  return [request.address, ...sent.map(spaced)].join(' ').slice(0, LONGEST)
}

function chatSummary(input: Json): string | null {
  if (!isJsonObject(input)) return null
  const request = isJsonObject(input.request ?? null) ? (input.request as { [name: string]: Json }) : input
  const messages = listLength(request.messages ?? request.input ?? request.prompt)
  if (messages === null) return null
  const tools = listLength(request.tools) ?? 0
  return `${plural(messages, 'message')}${tools > 0 ? `, ${plural(tools, 'tool')}` : ''}`
}

function listLength(value: Json | undefined): number | null {
  return Array.isArray(value) ? value.length : null
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (!isJsonObject(value)) return writeJson(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`)
    .join(', ')}}`
}
