/**
 * A message of the model, reduced to what a turn keeps of it. An agent sends what the model said back with its next request,
 * and the replayed message is poorer than the recorded one was: no reasoning, no marks of the provider, no empty members.
 * Without the reduction every request after the first would be another one.
 */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

/** Messages of `ai`, of OpenAI-style chats and of Anthropic; what is none of the model's comes back as it is, without marks. */
export function spokenMessage(message: Json): Json {
  if (!isJsonObject(message)) return message
  if (message.role !== 'assistant') return withoutMarks(message)
  const parts = Array.isArray(message.content)
    ? (message.content as readonly Json[]).filter(isJsonObject)
    : []
  const text = typeof message.content === 'string' ? message.content : parts.map(textOf).join('')
  const calls = Array.isArray(message.tool_calls)
    ? (message.tool_calls as readonly Json[]).filter(isJsonObject)
    : []
  return { role: 'assistant', text, calls: [...parts.flatMap(partCall), ...calls.flatMap(chatCall)] }
}

function textOf(part: JsonObject): string {
  return part.type === 'text' && typeof part.text === 'string' ? part.text : ''
}

/** A tool call among the parts of a content: of `ai`, or of Anthropic. */
function partCall(part: JsonObject): JsonObject[] {
  const { type, toolCallId, toolName, id, name, input = null } = part
  if (type === 'tool-call') return [{ id: toolCallId ?? null, name: toolName ?? null, input }]
  return type === 'tool_use' ? [{ id: id ?? null, name: name ?? null, input }] : []
}

function chatCall({ id, function: called }: JsonObject): JsonObject[] {
  if (!isJsonObject(called)) return []
  return [{ id: id ?? null, name: called.name ?? null, input: called.arguments ?? null }]
}

/** `ai` hands the provider's marks of an answer on to the messages that answer it. */
function withoutMarks(message: JsonObject): JsonObject {
  const { providerOptions: _, ...members } = message
  if (!Array.isArray(members.content)) return members
  const content = (members.content as readonly Json[]).map(part => {
    if (!isJsonObject(part)) return part
    const { providerOptions: __, ...kept } = part
    return kept
  })
  return { ...members, content }
}
