/** OpenAI's responses: events of a stream to a response object. The way back is in response-events.ts. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import type { Draft } from './merge-delta.ts'

/** The last event holds the whole response; of a stream that ended before it there is what its events said so far. */
export function assembleResponse(events: readonly Json[]): Json {
  const items = new Map<number, Draft>()
  let response: JsonObject = {}
  for (const event of events) {
    if (!isJsonObject(event) || typeof event.type !== 'string') continue
    if (isJsonObject(event.response ?? null)) response = event.response as JsonObject
    else addEvent(items, event.type, event)
  }
  const { output } = response
  if (items.size === 0 || (Array.isArray(output) && output.length > 0)) return response
  const inOrder = [...items].sort(([one], [other]) => one - other)
  return { ...response, output: inOrder.map(([, item]) => item) }
}

function addEvent(items: Map<number, Draft>, type: string, event: JsonObject): void {
  const index = Number(event.output_index ?? 0)
  if (isJsonObject(event.item ?? null)) {
    items.set(index, { ...(event.item as JsonObject) })
    return
  }
  const item = items.get(index)
  if (item === undefined) return
  if (isJsonObject(event.part ?? null)) setPart(item, event, event.part as JsonObject)
  else if (event.annotation !== undefined) addAnnotation(item, event, event.annotation)
  else if (type.endsWith('.delta') && typeof event.delta === 'string') addText(item, type, event, event.delta)
}

/** Where a part of an item stands: in its content, or in the summary of what was thought. */
function placeOf(event: JsonObject): readonly ['content' | 'summary', number] | null {
  if (typeof event.content_index === 'number') return ['content', event.content_index]
  return typeof event.summary_index === 'number' ? ['summary', event.summary_index] : null
}

function setPart(item: Draft, event: JsonObject, part: JsonObject): void {
  const place = placeOf(event)
  if (place === null) return
  const [list, at] = place
  const parts = Array.isArray(item[list]) ? [...(item[list] as readonly Json[])] : []
  parts[Math.min(at, parts.length)] = part
  item[list] = parts
}

function partAt(item: Draft, event: JsonObject): JsonObject {
  const place = placeOf(event)
  const parts = place === null ? null : item[place[0]]
  const part = Array.isArray(parts) ? parts[place![1]] : null
  return isJsonObject(part ?? null) ? (part as JsonObject) : {}
}

function addAnnotation(item: Draft, event: JsonObject, annotation: Json): void {
  const part = partAt(item, event)
  const { annotations } = part
  setPart(item, event, {
    ...part,
    annotations: [...(Array.isArray(annotations) ? annotations : []), annotation],
  })
}

/** Members of items that are said in pieces, by the name of their event. */
const PIECES: { readonly [type: string]: string } = {
  'response.function_call_arguments.delta': 'arguments',
  'response.mcp_call_arguments.delta': 'arguments',
  'response.custom_tool_call_input.delta': 'input',
  'response.code_interpreter_call_code.delta': 'code',
}

function addText(item: Draft, type: string, event: JsonObject, delta: string): void {
  const name = PIECES[type]
  if (name !== undefined) {
    item[name] = textIn(item[name]) + delta
    return
  }
  const part = partAt(item, event)
  const member = type === 'response.refusal.delta' ? 'refusal' : 'text'
  setPart(item, event, {
    type: /^response\.(\w+)\.delta$/.exec(type)?.[1] ?? 'output_text',
    ...part,
    [member]: textIn(part[member]) + delta,
  })
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
