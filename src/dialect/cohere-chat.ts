/** Cohere's chat (version 2): events of a stream to one answer, and back. https://docs.cohere.com/docs/streaming */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { type Draft, mergeDelta, takeLast } from './merge-delta.ts'

/** The answer that would have come without `stream: true`, or so much of it as there is. */
export function assembleCohere(events: readonly Json[]): Json {
  const answer: Draft = {}
  for (const event of events) {
    if (!isJsonObject(event)) continue
    const { id, delta, index } = event
    if (id !== undefined) takeLast(answer, { id })
    if (!isJsonObject(delta)) continue
    const { message, ...state } = delta
    if (isJsonObject(message)) mergeDelta(answer, { message: withPlaces(message, index ?? 0) })
    takeLast(answer, state)
  }
  return isJsonObject(answer.message) ? { ...answer, message: withoutPlaces(answer.message) } : answer
}

/** Lists of which each event holds one item, its place beside it. */
const LISTS = ['content', 'tool_calls', 'citations']

function withPlaces(message: JsonObject, index: Json): JsonObject {
  return mapLists(message, item => (isJsonObject(item) ? [{ ...item, index }] : item))
}

function withoutPlaces(message: JsonObject): JsonObject {
  return mapLists(message, list => {
    if (!Array.isArray(list)) return list
    return list.map(item => {
      if (!isJsonObject(item)) return item
      const { index: _, ...rest } = item
      return rest
    })
  })
}

function mapLists(message: JsonObject, map: (value: Json) => Json): JsonObject {
  const entries = Object.entries(message)
  return Object.fromEntries(entries.map(([key, value]) => [key, LISTS.includes(key) ? map(value) : value]))
}

/** The events in which a server that streams would have sent an answer. */
export function eventsOfCohere({ id, message, ...state }: JsonObject): JsonObject[] {
  const { tool_plan, ...said } = isJsonObject(message) ? message : {}
  return [
    { type: 'message-start', ...(id !== undefined && { id }), delta: { message: emptied(said) } },
    ...(tool_plan === undefined ? [] : [{ type: 'tool-plan-delta', delta: { message: { tool_plan } } }]),
    ...eventsOfItems('tool-call', 'tool_calls', said.tool_calls),
    ...eventsOfItems('content', 'content', said.content),
    ...eventsOfItems('citation', 'citations', said.citations),
    { type: 'message-end', delta: state },
  ]
}

function emptied(message: JsonObject): JsonObject {
  return mapLists(message, list => (Array.isArray(list) ? [] : list))
}

function eventsOfItems(type: string, member: string, list: Json | undefined): JsonObject[] {
  return (Array.isArray(list) ? list : []).flatMap((item: Json, index) => {
    const at = (value: Json) => ({ index, delta: { message: { [member]: value } } })
    const { start, rest } = inTwo(item)
    return [
      { type: `${type}-start`, ...at(start) },
      ...(rest === null ? [] : [{ type: `${type}-delta`, ...at(rest) }]),
      { type: `${type}-end`, index },
    ]
  })
}

/** Arguments and texts come behind what they belong to; a citation comes whole, its `text` with its place. */
function inTwo(item: Json): { readonly start: Json; readonly rest: JsonObject | null } {
  if (!isJsonObject(item)) return { start: item, rest: null }
  const { function: called, text } = item
  if (isJsonObject(called)) {
    const { arguments: given, ...named } = called
    if (typeof given !== 'string') return { start: item, rest: null }
    return {
      start: { ...item, function: { ...named, arguments: '' } },
      rest: { function: { arguments: given } },
    }
  }
  if (item.type !== 'text' || typeof text !== 'string') return { start: item, rest: null }
  return { start: { ...item, text: '' }, rest: { text } }
}
