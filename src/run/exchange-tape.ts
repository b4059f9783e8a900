/** What passes in an executed HTTP exchange, until it has ended and is written down: redacted, and with what it means. */
import { isUtf8 } from 'node:buffer'
import type { HttpExchange } from '../boundary/slot.ts'
import { failureOf } from '../dialect/failure-of.ts'
import { outputOf } from '../dialect/output-of.ts'
import { isStreamedType } from '../dialect/streamed-type.ts'
import type { RecordedError } from '../json/error-record.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { ExchangeChunk, ExchangeHead, RecordedExchange } from '../trace/exchange.ts'
import { chunkOf } from '../trace/exchange-chunk.ts'
import { headerOf } from '../trace/header-of.ts'
import type { Finding } from '../trace/redact.ts'
import { redactBody, redactHeaders, redactUrl } from '../trace/redact-http.ts'
import type { Redactor } from '../trace/redactor.ts'
import { decodedBody } from './decoded-body.ts'
import { type KeptValue, keptValue } from './kept-value.ts'
import type { RunState, Tape } from './run-state.ts'

export function startTape(run: RunState, live: LiveCall, exchange: HttpExchange, head: ExchangeHead): void {
  run.tapes.set(live, { exchange, head, parts: [], size: 0 })
}

/** A part of the body reached the agent. The agent may change its bytes afterwards; `slice` of a Buffer copies nothing. */
export function keepPart(run: RunState, live: LiveCall, part: Uint8Array): void {
  const tape = run.tapes.get(live)
  if (tape === undefined) return
  tape.size += part.byteLength
  if (tape.size > MOST_BYTES) tape.parts.length = 0
  else tape.parts.push(new Uint8Array(part))
}

/** A body is one line of a file, as base64 a third longer; it is read as one string, which V8 limits. */
const MOST_BYTES = 96 * 2 ** 20

/** What an exchange means that has come to its end: the call's output, or its failure (`429`); both redacted. */
export type Meaning = (KeptValue & { readonly isLost?: true }) | { readonly error: RecordedError }

/** Writes down an exchange that has ended. Null when it had not begun: there is nothing but the error that ended it. */
export function writeEndedExchange(run: RunState, live: LiveCall, isWhole: boolean): Meaning | null {
  const tape = run.tapes.get(live)
  if (tape === undefined) return null
  run.tapes.delete(live)
  const { exchange, head } = tape
  if (tape.size > MOST_BYTES) return writeTooLarge(run, live, tape, isWhole ? 'whole' : 'broken')
  const body = bodyOf(tape)
  const failure = isWhole ? failureOf(exchange.read, head, body.bytes) : null
  const output = keptValue(outputOf(exchange.read, head, body.bytes), run.redactor)
  const recorded = recordedExchange(run, tape, body, output, isWhole ? 'whole' : 'broken')
  run.write({ kind: 'exchange', live: live.number, exchange: recorded, ...(!isWhole && partial(output)) })
  return failure === null
    ? output
    : { error: run.redactor.redact(failure as unknown as Json).value as unknown as RecordedError }
}

/** The agent has its answer; a replay refuses the call, as it has none. */
function writeTooLarge(run: RunState, live: LiveCall, tape: Tape, end: RecordedExchange['end']): Meaning {
  const { exchange, head, size } = tape
  const output = { status: head.status, bytes: size }
  run.write({
    kind: 'exchange',
    live: live.number,
    exchange: {
      layer: exchange.layer,
      url: redactUrl(exchange.sent.url.href),
      head: { status: head.status, statusText: '', headers: [] },
      chunks: null,
      end,
    },
    ...(end !== 'whole' && { output }),
  })
  const sizes = `${Math.round(size / 2 ** 20)} MiB are more than the ${MOST_BYTES / 2 ** 20} that are kept`
  const detail = `${live.number} ${labelOf(exchange.read.target)}: its ${sizes}`
  run.write({ kind: 'note', code: 'result-not-json', detail })
  return { value: output, isLost: true }
}

/** Writes down an exchange of which the agent has enough, or which is still open when the run ends. */
export function writeOpenExchange(run: RunState, live: LiveCall): void {
  const tape = run.tapes.get(live)
  if (tape === undefined) return
  run.tapes.delete(live)
  if (tape.size > MOST_BYTES) {
    writeTooLarge(run, live, tape, 'open')
    return
  }
  const body = bodyOf(tape)
  const output = keptValue(outputOf(tape.exchange.read, tape.head, body.bytes), run.redactor)
  const exchange = recordedExchange(run, tape, body, output, 'open')
  run.write({ kind: 'exchange', live: live.number, exchange, ...partial(output) })
}

export function writeOpenExchanges(run: RunState): void {
  for (const live of [...run.tapes.keys()]) writeOpenExchange(run, live)
}

function partial({ value, findings }: KeptValue): { output: Json; findings?: readonly Finding[] } {
  return { output: value, ...(findings !== undefined && { findings }) }
}

interface Body {
  readonly bytes: Uint8Array
  /** Its parts as the agent got them; one, where they were packed. */
  readonly parts: readonly Uint8Array[]
  /** In a packing that nobody here knows, or damaged. */
  readonly isPacked: boolean
}

/** Below `fetch` a body may be packed; it is kept, and handed out again, unpacked. */
function bodyOf({ exchange, head, parts }: Tape): Body {
  const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  const packing = exchange.layer === 'fetch' ? null : headerOf(head, 'content-encoding')
  if (packing === null) return { bytes: whole, parts, isPacked: false }
  const unpacked = decodedBody(whole, packing)
  return unpacked === null
    ? { bytes: whole, parts, isPacked: true }
    : { bytes: unpacked, parts: [unpacked], isPacked: false }
}

/** Lengths are of the bytes on the wire, which are not kept; so are packings, as a rule. */
const OF_THE_WIRE = ['content-length', 'transfer-encoding', 'connection', 'keep-alive']

function recordedExchange(
  { redactor }: RunState,
  { exchange, head }: Tape,
  { bytes, parts, isPacked }: Body,
  output: KeptValue,
  end: RecordedExchange['end'],
): RecordedExchange {
  const dropped = isPacked ? OF_THE_WIRE : [...OF_THE_WIRE, 'content-encoding']
  const headers = head.headers.filter(([name]) => !dropped.includes(name.toLowerCase()))
  // By name first, then whatever is known to be a secret, wherever a server says it.
  const named = {
    url: redactUrl(exchange.sent.url.href),
    head: {
      ...head,
      headers: redactHeaders(headers),
      ...(head.url !== undefined && { url: redactUrl(head.url) }),
    },
  }
  return {
    layer: exchange.layer,
    ...(redactor.redact(named as unknown as Json).value as unknown as typeof named),
    chunks: chunksOf(bytes, parts, output, headerOf(head, 'content-type'), redactor),
    end,
  }
}

/**
 * The parts as texts where they are UTF-8. With a secret in them the body is one text, redacted. Null where what a stream
 * means has a secret: it may lie scattered over events, of which one alone shows a piece of it at most.
 */
function chunksOf(
  bytes: Uint8Array,
  parts: readonly Uint8Array[],
  output: KeptValue,
  contentType: string | null,
  redactor: Redactor,
): ExchangeChunk[] | null {
  if (!isUtf8(bytes)) return parts.map(part => ({ base64: Buffer.from(part).toString('base64') }))
  if (output.findings !== undefined && isStreamedType(contentType)) return null
  const text = Buffer.from(bytes).toString('utf8')
  const redacted = redactBody(text, contentType, redactor)
  if (redacted !== text) return [redacted]
  if (output.findings !== undefined) return null
  return parts.map(chunkOf)
}
