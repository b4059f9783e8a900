/** Ollama's own API: lines of a stream to one answer, and back. */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { type Draft, mergeDelta, takeLast } from './merge-delta.ts'

/** The answer that would have come with `stream: false`, or so much of it as there is. */
export function assembleOllama(lines: readonly Json[]): Json {
  const answer: Draft = {}
  for (const line of lines) {
    if (!isJsonObject(line)) continue
    const { message, response, thinking, ...state } = line
    mergeDelta(answer, given({ message, response, thinking }))
    takeLast(answer, state)
  }
  return answer
}

/** What was said on one line, how it ended on the last. */
export function linesOfOllama(answer: JsonObject): JsonObject[] {
  const { message, response, thinking, ...state } = answer
  const { model, created_at } = state
  const empty = given({
    message: message === undefined ? undefined : { role: 'assistant', content: '' },
    response: response === undefined ? undefined : '',
  })
  return [given({ model, created_at, message, response, thinking, done: false }), { ...state, ...empty }]
}

function given(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  )
}
