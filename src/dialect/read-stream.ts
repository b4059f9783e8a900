import { jsonInText } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
import { headerOf } from '../trace/header-of.ts'
import { readEvents } from './server-sent-events.ts'
import { isStreamedType } from './streamed-type.ts'

/** One event or line of a stream, its JSON read. */
export interface StreamPart {
  readonly event: string | null
  readonly value: Json
}

/**
 * The parts of an answer that a model gave as a stream; null when it came in one piece, as refusals do also where a stream
 * was asked for. What is no JSON (`[DONE]`, the rest of a line that was cut off) says nothing.
 */
export function readStream(read: ReadRequest, head: ExchangeHead, text: string): StreamPart[] | null {
  const type = headerOf(head, 'content-type')
  if (isStreamedType(type)) return /json/i.test(type!) ? linesOf(text) : eventsOf(text)
  if (!read.streams) return null
  // Servers that do not name the type.
  const whole = jsonInText(text)
  if (Array.isArray(whole)) return whole.map(value => ({ event: null, value }))
  if (whole !== undefined) return null
  return /^\s*\{/.test(text) ? linesOf(text) : eventsOf(text)
}

function eventsOf(text: string): StreamPart[] {
  return readEvents(text).flatMap(({ event, data }) => partOf(event, data))
}

function linesOf(text: string): StreamPart[] {
  return text.split(/\r?\n/).flatMap(line => partOf(null, line))
}

function partOf(event: string | null, data: string): StreamPart[] {
  const value = jsonInText(data)
  return value === undefined ? [] : [{ event, value }]
}
