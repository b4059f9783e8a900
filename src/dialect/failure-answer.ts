import type { RecordedError } from '../json/error-record.ts'
import { writeJson } from '../json/write-json.ts'
import type { Exchange, Header, ReadRequest } from '../trace/exchange.ts'
import { errorBody } from './error-body.ts'
import { ERROR_CLASSES, IN_STREAM, OTHER_CLASSES } from './error-classes.ts'
import { jsonExchange, madeExchange } from './made-exchange.ts'
import { writeEvent } from './server-sent-events.ts'

/**
 * The answer that makes an SDK throw a recorded error again, where the exchange itself was not recorded. Null: there was no
 * answer, `fetch` failed with this very error.
 */
export function failureAnswerOf(read: ReadRequest, error: RecordedError): Exchange | null {
  if (read.kind !== 'model') return null
  if (error.name === IN_STREAM && statusIn(error) === null && read.streams) return brokenStream(read, error)
  const status = statusIn(error) ?? statusOfClass(error.class ?? error.name)
  if (status === null) return null
  const body = error.members?.body ?? errorBody(read, status, wordsOf(error.message), null)
  const headers: Header[] = isTry(error) ? [] : [['x-should-retry', 'false']]
  return typeof body === 'string'
    ? madeExchange(status, [['content-type', 'text/plain; charset=utf-8'], ...headers], [body])
    : jsonExchange(status, body, headers)
}

/**
 * One try of several: we record each, with status and body. What is recorded around an SDK, as in Python, was thrown after
 * the last one, and trying again would ask for calls that the recording does not have.
 */
function isTry({ members }: RecordedError): boolean {
  return members?.status !== undefined && members.body !== undefined
}

function statusOfClass(name: string): number | null {
  const known = ERROR_CLASSES.find(one => one.name === name)?.status
  return known ?? (Object.hasOwn(OTHER_CLASSES, name) ? OTHER_CLASSES[name]! : null)
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
  const quoted = /['"]message['"]:\s*(?:'([^']*)'|"([^"]*)")/.exec(words)
  return quoted?.[1] ?? quoted?.[2] ?? words
}

function brokenStream(read: ReadRequest, { message, members }: RecordedError): Exchange {
  const data = writeJson(members?.body ?? errorBody(read, 500, message, null))
  return madeExchange(
    200,
    [['content-type', 'text/event-stream; charset=utf-8']],
    [writeEvent({ event: 'error', data })],
  )
}
