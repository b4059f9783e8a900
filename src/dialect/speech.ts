/** How each API speaks when it streams: parts to the whole answer, and the answer to the text of its parts. */
import type { Json, JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { assembleMessage, eventsOfMessage } from './anthropic-messages.ts'
import { assembleCohere, eventsOfCohere } from './cohere-chat.ts'
import type { Api } from './dialects.ts'
import { assembleContent } from './google-generate.ts'
import { assembleOllama, linesOfOllama } from './ollama.ts'
import { assembleChat, chunksOfChat } from './openai-chat.ts'
import { assembleResponse } from './openai-responses.ts'
import { eventsOfResponse } from './response-events.ts'
import { writeEvent } from './server-sent-events.ts'

export interface Speech {
  readonly contentType: string
  readonly assemble: (parts: readonly Json[]) => Json
  readonly write: (answer: JsonObject, request: JsonObject) => string[]
}

/** Null: an API that never streams. */
export function speechOf(api: string | null): Speech | null {
  return api === null ? null : (SPEECHES[api as Api] ?? null)
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8'

const chat: Speech = {
  contentType: EVENT_STREAM,
  assemble: assembleChat,
  write: (answer, request) => [
    ...chunksOfChat(answer, request).map(dataOnly),
    writeEvent({ event: null, data: '[DONE]' }),
  ],
}

const ollama: Speech = {
  contentType: 'application/x-ndjson',
  assemble: assembleOllama,
  write: answer => linesOfOllama(answer).map(line => `${writeJson(line)}\n`),
}

const SPEECHES: { readonly [api in Api]: Speech | null } = {
  'openai.chat': chat,
  'openai.completions': chat,
  'openai.responses': {
    contentType: EVENT_STREAM,
    assemble: assembleResponse,
    write: answer => eventsOfResponse(answer).map(named),
  },
  'openai.embeddings': null,
  'anthropic.messages': {
    contentType: EVENT_STREAM,
    assemble: assembleMessage,
    write: answer => eventsOfMessage(answer).map(named),
  },
  'anthropic.count_tokens': null,
  'cohere.chat': {
    contentType: EVENT_STREAM,
    assemble: assembleCohere,
    write: answer => eventsOfCohere(answer).map(named),
  },
  'google.generate': {
    contentType: EVENT_STREAM,
    assemble: assembleContent,
    // Each part of its streams is a response, so the whole is a stream of one part.
    write: answer => [dataOnly(answer)],
  },
  'google.embed': null,
  'ollama.chat': ollama,
  'ollama.generate': ollama,
}

function dataOnly(value: JsonObject): string {
  return writeEvent({ event: null, data: writeJson(value) })
}

/** An event that bears its type as its name, too. */
function named(value: JsonObject): string {
  return writeEvent({ event: String(value.type), data: writeJson(value) })
}
