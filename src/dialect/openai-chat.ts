/** Chat completions of OpenAI and all who speak like them, and the older completions: chunks to an object, and back. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { type Draft, mergeDelta, takeLast } from './merge-delta.ts'

/**
 * The object that would have come without `stream: true`, or so much of it as there is. `obfuscation` only hides how long the
 * pieces are.
 */
export function assembleChat(chunks: readonly Json[]): Json {
  const completion: Draft = {}
  const choices = new Map<Json, Draft>()
  for (const chunk of chunks) {
    if (!isJsonObject(chunk)) continue
    takeLast(completion, chunk, ['choices', 'obfuscation'])
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices : []) {
      if (isJsonObject(choice)) addChoice(choices, choice)
    }
  }
  const { usage, ...head } = completion
  if (typeof head.object === 'string') head.object = head.object.replace(/\.chunk$/, '')
  const inOrder = [...choices.values()].sort((one, other) => Number(one.index) - Number(other.index))
  // Asked for no usage, some servers say null in every chunk; an answer in one piece never does.
  return {
    ...head,
    choices: inOrder.map(withoutIndexes),
    ...(isJsonObject(usage ?? null) && { usage: usage! }),
  }
}

function addChoice(choices: Map<Json, Draft>, choice: JsonObject): void {
  const index = choice.index ?? 0
  const draft = choices.get(index) ?? { index }
  choices.set(index, draft)
  // Some servers say all so far in each chunk (`message`), beside what is new.
  const { delta, message: whole, text, logprobs, index: _, ...state } = choice
  if (isJsonObject(delta)) {
    const message: Draft = isJsonObject(draft.message) ? { ...draft.message } : emptyMessage()
    mergeDelta(message, delta)
    draft.message = message
  } else if (isJsonObject(whole)) draft.message = whole
  if (text !== undefined) mergeDelta(draft, { text })
  if (logprobs !== undefined) mergeDelta(draft, { logprobs })
  takeLast(draft, state)
}

/** A message in one piece always has both. */
function emptyMessage(): Draft {
  return { role: 'assistant', content: null }
}

/** The place of a tool call in its list is said in streams only. */
function withoutIndexes(choice: Draft): JsonObject {
  const { message } = choice
  if (!isJsonObject(message) || !Array.isArray(message.tool_calls)) return choice
  const calls = message.tool_calls.map(call => {
    if (!isJsonObject(call)) return call
    const { index: _, ...rest } = call
    return rest
  })
  return { ...choice, message: { ...message, tool_calls: calls } }
}

/** The chunks in which a server that streams would have sent an object; `[DONE]` is not among them. */
export function chunksOfChat(completion: JsonObject, request: JsonObject): JsonObject[] {
  const { choices, usage, object, ...head } = completion
  const frame = { ...head, object: object === 'chat.completion' ? 'chat.completion.chunk' : (object ?? null) }
  const list = (Array.isArray(choices) ? choices : []).filter(isJsonObject)
  const chunks: JsonObject[] = list.flatMap((choice, at) =>
    partsOfChoice(choice, choice.index ?? at).map(part => ({ ...frame, choices: [part] })),
  )
  const asked = isJsonObject(request.stream_options ?? null) ? (request.stream_options as JsonObject) : {}
  if (asked.include_usage === true && usage !== undefined) chunks.push({ ...frame, choices: [], usage })
  return chunks.length > 0 ? chunks : [{ ...frame, choices: [] }]
}

function partsOfChoice(choice: JsonObject, index: Json): JsonObject[] {
  const { message, text, logprobs, finish_reason, index: _, ...rest } = choice
  const said = logprobs === undefined ? {} : { logprobs }
  const end = { ...rest, finish_reason: finish_reason ?? null }
  if (!isJsonObject(message)) {
    return [
      { index, text: text ?? '', ...said, finish_reason: null },
      { index, text: '', ...end },
    ]
  }
  const [first, ...deltas] = deltasOf(message)
  return [
    { index, delta: first!, ...said, finish_reason: null },
    ...deltas.map(delta => ({ index, delta, finish_reason: null })),
    { index, delta: {}, ...end },
  ]
}

/** The role first, as clients begin a message with it; then what was said, member by member. */
function deltasOf({ role, content, ...others }: JsonObject): JsonObject[] {
  const first = { role: role ?? 'assistant', content: typeof content === 'string' ? '' : null }
  const deltas = Object.keys(others).map(name => ({ [name]: withIndexes(name, others[name]!) }))
  return content === undefined || content === null ? [first, ...deltas] : [first, { content }, ...deltas]
}

function withIndexes(name: string, value: Json): Json {
  if (name !== 'tool_calls' || !Array.isArray(value)) return value
  return value.map((call, index) => (isJsonObject(call) ? { index, ...call } : call))
}
