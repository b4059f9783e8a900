import { jsonInText } from '../json/parse-json.ts'
import type { Json, JsonObject } from '../json/value.ts'
import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
import { headerOf } from '../trace/header-of.ts'
import { bodyContent, bytesContent, textOf } from './body-content.ts'
import { readStream } from './read-stream.ts'
import { speechOf } from './speech.ts'

/**
 * What is recorded as the output of a call, of its body or so much of it as came: of a model the object that the API gives
 * in one piece, also when it was streamed; of plain HTTP status and body. The body is as the agent reads it, not compressed.
 */
export function outputOf(read: ReadRequest, head: ExchangeHead, body: Uint8Array | string | null): Json {
  switch (read.kind) {
    case 'model':
      return modelOutput(read, head, body ?? '')
    case 'plain':
      return plainOutput(head, body)
    case 'telemetry':
      return null
  }
}

function modelOutput(read: ReadRequest, head: ExchangeHead, body: Uint8Array | string): Json {
  const text = textOf(body)
  if (text === null) return bytesContent(body as Uint8Array)
  const speech = speechOf(read.dialect)
  const parts = speech === null ? null : readStream(read, head, text)
  if (parts !== null) return speech!.assemble(parts.map(({ value }) => value))
  return jsonInText(text) ?? text
}

/**
 * Headers that programs act upon. Limits, dates and request ids differ in each answer and say nothing here; all headers are
 * in the recorded exchange.
 */
const KEPT = ['content-type', 'location', 'link', 'etag', 'retry-after']

function plainOutput(head: ExchangeHead, body: Uint8Array | string | null): JsonObject {
  const headers = KEPT.flatMap(name => {
    const value = headerOf(head, name)
    return value === null ? [] : [[name, value] as const]
  })
  return {
    status: head.status,
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...bodyContent(body),
  }
}
