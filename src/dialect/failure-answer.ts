import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Exchange, ReadRequest } from '../trace/exchange.ts'
import type { RecordedError } from '../trace/journal.ts'
import { errorBody } from './error-body.ts'
import { ERROR_CLASSES, IN_STREAM, OTHER_CLASSES } from './error-classes.ts'
import { jsonExchange, madeExchange } from './made-exchange.ts'
import { retrySoon } from './retry-soon.ts'
import { writeEvent } from './server-sent-events.ts'

/** The answer that makes an SDK throw a recorded error again, where the exchange itself was not recorded. */
export function failureAnswerOf(read: ReadRequest, error: RecordedError): Exchange {
  const status = statusIn(error)
  if (status === null && error.name === IN_STREAM && read.streams) return brokenStream(read, error)
  const known = status ?? statusOfClass(error.class ?? error.name)
  const body = error.members?.body ?? errorBody(read, known, wordsOf(error.message), null)
  const exchange = bodyExchange(known, body)
  return { ...exchange, head: isTry(error) ? retrySoon(exchange.head) : final(exchange.head) }
}

/**
 * One try of several: we record each, with status and body. What is recorded around an SDK, as in Python, was thrown after
 * the last one, and trying again would ask for calls that the recording does not have.
 */
function isTry({ members }: RecordedError): boolean {
  return members?.status !== undefined && members.body !== undefined
}

function final(head: Exchange['head']): Exchange['head'] {
  return { ...head, headers: [...head.headers, ['x-should-retry', 'false']] }
}

function statusOfClass(name: string): number {
  const known = ERROR_CLASSES.find(one => one.name === name)?.status
  return known ?? (Object.hasOwn(OTHER_CLASSES, name) ? OTHER_CLASSES[name]! : 500)
}

/** `status` in JavaScript, `status_code` in Python, where the message begins with `Error code: 429 - `. */
function statusIn({ members, message }: RecordedError): number | null {
  const told = members?.status ?? members?.status_code ?? /^(?:Error code: )?(\d{3})\b/.exec(message)?.[1]
  const status = Number(told ?? Number.NaN)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : null
}

/** SDKs put the status before the message; Python shows the body behind it. */
function wordsOf(message: string): string {
  const words = message.replace(/^(?:Error code: )?\d{3}(?: - | |$)/, '')
  const quoted = /['"]message['"]: (?:'([^']*)'|"([^"]*)")/.exec(words)
  return quoted?.[1] ?? quoted?.[2] ?? words
}

function bodyExchange(status: number, body: Json): Exchange {
  if (typeof body !== 'string') return jsonExchange(status, body)
  return madeExchange(status, [['content-type', 'text/plain; charset=utf-8']], [body])
}

function brokenStream(read: ReadRequest, { message, members }: RecordedError): Exchange {
  const data = writeJson(members?.body ?? errorBody(read, 500, message, null))
  return madeExchange(
    200,
    [['content-type', 'text/event-stream; charset=utf-8']],
    [writeEvent({ event: 'error', data })],
  )
}
