import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Exchange, ExchangeChunk, Header, ReadRequest } from '../trace/exchange.ts'
import { jsonExchange, madeExchange } from './made-exchange.ts'
import { speechOf } from './speech.ts'
import { telemetryAnswer } from './telemetry-answer.ts'

/**
 * An answer made of a recorded output, where the exchange itself is not there: the recording is by the Python
 * implementation, or of a call through `llmRequest`. As a stream when the request asks for one.
 */
export function answerOf(read: ReadRequest, output: Json): Exchange {
  switch (read.kind) {
    case 'model':
      return modelAnswer(read, output)
    case 'plain':
      return plainAnswer(output)
    case 'telemetry':
      return telemetryAnswer()
  }
}

function modelAnswer(read: ReadRequest, output: Json): Exchange {
  if (typeof output === 'string') return madeExchange(200, [TEXT], [output])
  const speech = read.streams && isJsonObject(output) ? speechOf(read.dialect) : null
  if (speech === null) return jsonExchange(200, output)
  const chunks = speech.write(output as JsonObject, requestIn(read))
  return madeExchange(200, [['content-type', speech.contentType]], chunks)
}

const TEXT: Header = ['content-type', 'text/plain; charset=utf-8']

function requestIn({ input }: ReadRequest): JsonObject {
  const request = isJsonObject(input) ? input.request : null
  return isJsonObject(request ?? null) ? (request as JsonObject) : {}
}

/** What is not of the shape that plain HTTP is recorded in is taken for the body. */
function plainAnswer(output: Json): Exchange {
  if (!isJsonObject(output) || typeof output.status !== 'number') return jsonExchange(200, output)
  const { status, headers, body, base64, sha256 } = output
  if (typeof sha256 === 'string') return lostBody()
  const sent = isJsonObject(headers ?? null) ? Object.entries(headers as JsonObject) : []
  const kept = sent.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return madeExchange(status, kept, chunksOf(body, base64))
}

function chunksOf(body: Json | undefined, base64: Json | undefined): ExchangeChunk[] {
  if (typeof base64 === 'string') return [{ base64 }]
  if (body === undefined) return []
  return [typeof body === 'string' ? body : writeJson(body)]
}

/** Better an error that says why than a body that is empty. */
function lostBody(): Exchange {
  const message =
    'stepfork: this body was too large to be kept in the event, and the recorded exchange is missing'
  return jsonExchange(502, { error: message }, [['x-should-retry', 'false']])
}
