import type { RecordedError } from '../json/error-record.ts'
import { jsonInText } from '../json/parse-json.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
import { textOf } from './body-content.ts'
import { ERROR_CLASSES, IN_STREAM, OTHER_STATUS } from './error-classes.ts'
import { readStream, type StreamPart } from './read-stream.ts'

/**
 * Why a model's answer is an error, named as the provider's SDK for Python names its class; null when it is none. Plain HTTP
 * never fails by a status: a program may ask just to see that there is nothing.
 */
export function failureOf(
  read: ReadRequest,
  head: ExchangeHead,
  body: Uint8Array | string | null,
): RecordedError | null {
  if (read.kind !== 'model') return null
  const text = textOf(body ?? '') ?? ''
  if (head.status >= 400) return statusFailure(head.status, text)
  // Most streams are told by this, without being read.
  const bad = text.includes('error') ? readStream(read, head, text)?.find(isError) : undefined
  if (bad === undefined) return null
  const message = messageIn(bad.value) ?? 'the stream ended with an error'
  return { name: IN_STREAM, message, members: { body: bad.value } }
}

/** The message as the SDKs make it. */
function statusFailure(status: number, text: string): RecordedError {
  const body = jsonInText(text) ?? text
  const said = messageIn(body) ?? (text.trim() || 'status code (no body)')
  return {
    name: nameOf(status),
    message: `${status} ${said}`,
    members: { status, ...(text !== '' && { body }) },
  }
}

function nameOf(status: number): string {
  if (status >= 500) return 'InternalServerError'
  return ERROR_CLASSES.find(one => one.status === status)?.name ?? OTHER_STATUS
}

function isError({ event, value }: StreamPart): boolean {
  if (!isJsonObject(value)) return false
  return event === 'error' || value.type === 'error' || isGiven(value.error)
}

function isGiven(error: Json | undefined): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}

/** OpenAI, Anthropic and Google say `error.message`, Ollama `error`, gateways `message` or `detail`. */
function messageIn(body: Json): string | null {
  if (!isJsonObject(body)) return null
  const { error } = body
  const said = isJsonObject(error ?? null) ? (error as { message?: Json }).message : error
  const texts = [said, body.message, body.detail]
  return texts.find((one): one is string => typeof one === 'string' && one !== '') ?? null
}
