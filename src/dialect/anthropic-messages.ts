/** Messages of Anthropic: events of a stream to a message, and back. */
import { jsonInText } from '../json/parse-json.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { type Draft, mergeDelta, takeLast } from './merge-delta.ts'

interface MessageDraft {
  readonly message: Draft
  readonly blocks: Map<number, Draft>
  /** The input of a tool comes as pieces of a JSON text. */
  readonly inputs: Map<number, string>
}

/** The message that would have come without `stream: true`, or so much of it as there is. */
export function assembleMessage(events: readonly Json[]): Json {
  const draft: MessageDraft = { message: {}, blocks: new Map(), inputs: new Map() }
  for (const event of events) if (isJsonObject(event)) addEvent(draft, event)
  const blocks = [...draft.blocks].sort(([one], [other]) => one - other)
  return {
    ...draft.message,
    content: blocks.map(([index, block]) => withInput(block, draft.inputs.get(index))),
  }
}

function addEvent({ message, blocks, inputs }: MessageDraft, event: JsonObject): void {
  const { type, delta, usage, content_block: block, message: start, ...rest } = event
  const index = Number(event.index ?? 0)
  if (type === 'message_start' && isJsonObject(start)) takeLast(message, start)
  if (type === 'content_block_start' && isJsonObject(block)) blocks.set(index, { ...block })
  if (type === 'content_block_delta' && isJsonObject(delta)) addDelta(blocks, inputs, index, delta)
  if (type === 'message_delta') {
    if (isJsonObject(delta)) takeLast(message, delta)
    message.usage = { ...objectOf(message.usage), ...withoutNulls(objectOf(usage)) }
    // What the answer says besides, such as `context_management`.
    takeLast(message, rest)
  }
}

function addDelta(
  blocks: Map<number, Draft>,
  inputs: Map<number, string>,
  index: number,
  { type, ...delta }: JsonObject,
): void {
  const block = blocks.get(index) ?? {}
  blocks.set(index, block)
  if (typeof delta.partial_json === 'string') {
    inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json)
  } else if (type === 'citations_delta') {
    block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation ?? null]
  } else {
    mergeDelta(block, delta)
  }
}

/** Of an input that was cut off the text is kept. */
function withInput(block: Draft, text: string | undefined): JsonObject {
  return text === undefined || text === '' ? block : { ...block, input: jsonInText(text) ?? text }
}

/** The events in which a server that streams would have sent a message. */
export function eventsOfMessage(message: JsonObject): JsonObject[] {
  const { content, stop_reason, stop_sequence, stop_details, usage, ...head } = message
  const { output_tokens, ...input } = objectOf(usage)
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : []
  const begun = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...input, output_tokens: 0 },
  }
  return [
    { type: 'message_start', message: begun },
    ...blocks.flatMap(eventsOfBlock),
    {
      type: 'message_delta',
      delta: {
        stop_reason: stop_reason ?? null,
        stop_sequence: stop_sequence ?? null,
        ...(stop_details !== undefined && { stop_details }),
      },
      usage: { output_tokens: output_tokens ?? 0 },
    },
    { type: 'message_stop' },
  ]
}

function eventsOfBlock(block: JsonObject, index: number): JsonObject[] {
  const { start, deltas } = inPieces(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

interface Pieces {
  readonly start: JsonObject
  readonly deltas: readonly JsonObject[]
}

/** Blocks of any other type come whole in their first event. */
function inPieces(block: JsonObject): Pieces {
  const { type } = block
  if (type === 'text') return piecesOfText(block)
  if (type === 'thinking') return piecesOfThinking(block)
  if (typeof type === 'string' && type.endsWith('tool_use') && block.input !== undefined) {
    return piecesOfToolUse(block)
  }
  return { start: block, deltas: [] }
}

function piecesOfText({ text, citations, ...rest }: JsonObject): Pieces {
  const cited = Array.isArray(citations) && citations.length > 0
  return {
    start: { ...rest, text: '', ...(citations !== undefined && { citations: cited ? [] : citations }) },
    deltas: [
      { type: 'text_delta', text: text ?? '' },
      ...(cited ? citations.map((citation: Json) => ({ type: 'citations_delta', citation })) : []),
    ],
  }
}

function piecesOfThinking({ thinking, signature, ...rest }: JsonObject): Pieces {
  return {
    start: { ...rest, thinking: '', ...(signature !== undefined && { signature: '' }) },
    deltas: [
      { type: 'thinking_delta', thinking: thinking ?? '' },
      ...(signature === undefined ? [] : [{ type: 'signature_delta', signature }]),
    ],
  }
}

/** An input that is a text is one that was cut off. */
function piecesOfToolUse({ input, ...rest }: JsonObject): Pieces {
  const partial_json = typeof input === 'string' ? input : writeJson(input!)
  return { start: { ...rest, input: {} }, deltas: [{ type: 'input_json_delta', partial_json }] }
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value ?? null) ? (value as JsonObject) : {}
}

function withoutNulls(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}
