/** OpenAI's responses: an object to the events in which a server that streams would have sent it. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

export function eventsOfResponse(response: JsonObject): JsonObject[] {
  const { output, ...head } = response
  const begun = {
    ...head,
    status: 'in_progress',
    output: [],
    ...(head.usage !== undefined && { usage: null }),
  }
  const items = (Array.isArray(output) ? output : []).filter(isJsonObject)
  const end = END_OF[String(response.status)]
  const events: JsonObject[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap(eventsOfItem),
    ...(end === undefined ? [] : [{ type: end, response }]),
  ]
  return events.map((event, sequence_number) => ({ ...event, sequence_number }))
}

/** A response that was broken off has no last event. */
const END_OF: { readonly [status: string]: string } = {
  completed: 'response.completed',
  undefined: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
}

function eventsOfItem(item: JsonObject, output_index: number): JsonObject[] {
  const place = { item_id: item.id ?? '', output_index }
  const { begun, pieces } = inPieces(item)
  return [
    { type: 'response.output_item.added', output_index, item: begun },
    ...pieces.map(piece => ({ ...piece, ...place })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

interface Pieces {
  readonly begun: JsonObject
  readonly pieces: readonly JsonObject[]
}

/** Of an item of any other type (a search, an image) the beginning is the whole. */
function inPieces(item: JsonObject): Pieces {
  switch (item.type) {
    case 'message':
      return { begun: { ...item, ...inProgress(item), content: [] }, pieces: contentOf(item) }
    case 'reasoning':
      return {
        begun: {
          ...item,
          ...inProgress(item),
          summary: [],
          ...(item.content !== undefined && { content: [] }),
        },
        pieces: [...summaryOf(item), ...contentOf(item)],
      }
    case 'function_call':
      return pieceOf(item, 'arguments', 'response.function_call_arguments')
    case 'mcp_call':
      return pieceOf(item, 'arguments', 'response.mcp_call_arguments')
    case 'custom_tool_call':
      return pieceOf(item, 'input', 'response.custom_tool_call_input')
  }
  return { begun: item, pieces: [] }
}

function inProgress({ status }: JsonObject): JsonObject {
  return status === undefined ? {} : { status: 'in_progress' }
}

function pieceOf(item: JsonObject, member: string, type: string): Pieces {
  const value = item[member]
  if (typeof value !== 'string') return { begun: item, pieces: [] }
  return {
    begun: { ...item, ...inProgress(item), [member]: '' },
    pieces: [
      { type: `${type}.delta`, delta: value },
      { type: `${type}.done`, [member]: value, ...(item.name !== undefined && { name: item.name }) },
    ],
  }
}

function contentOf({ content }: JsonObject): JsonObject[] {
  return objectsIn(content).flatMap((part, content_index) => [
    { type: 'response.content_part.added', content_index, part: emptyPart(part) },
    ...saidOf(part).map(piece => ({ ...piece, content_index })),
    { type: 'response.content_part.done', content_index, part },
  ])
}

function emptyPart(part: JsonObject): JsonObject {
  if (part.type === 'refusal') return { ...part, refusal: '' }
  if (typeof part.text !== 'string') return part
  return {
    ...part,
    text: '',
    ...(part.annotations !== undefined && { annotations: [] }),
    ...(part.logprobs !== undefined && { logprobs: [] }),
  }
}

function saidOf(part: JsonObject): JsonObject[] {
  const { text, refusal, type, logprobs } = part
  if (typeof refusal === 'string') return deltaAndDone('response.refusal', 'refusal', refusal)
  if (typeof text !== 'string') return []
  if (type === 'reasoning_text') return deltaAndDone('response.reasoning_text', 'text', text)
  const [delta, done] = deltaAndDone('response.output_text', 'text', text)
  const sure = { logprobs: logprobs ?? [] }
  const annotations = (Array.isArray(part.annotations) ? part.annotations : []).map(
    (annotation: Json, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      annotation_index,
      annotation,
    }),
  )
  return [{ ...delta!, ...sure }, ...annotations, { ...done!, ...sure }]
}

function summaryOf({ summary }: JsonObject): JsonObject[] {
  return objectsIn(summary).flatMap((part, summary_index) => [
    { type: 'response.reasoning_summary_part.added', summary_index, part: emptyPart(part) },
    ...deltaAndDone('response.reasoning_summary_text', 'text', part.text ?? '').map(piece => ({
      ...piece,
      summary_index,
    })),
    { type: 'response.reasoning_summary_part.done', summary_index, part },
  ])
}

function deltaAndDone(type: string, member: string, value: Json): JsonObject[] {
  return [
    { type: `${type}.delta`, delta: value },
    { type: `${type}.done`, [member]: value },
  ]
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
