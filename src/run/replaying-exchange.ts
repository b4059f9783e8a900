/** An HTTP request that is answered from the recording: the same bytes in the same parts, or an answer made of the output. */

import { reviveError } from '../boundary/recorded-error.ts'
import type { HttpBoundaryCall } from '../boundary/slot.ts'
import { answerOf } from '../dialect/answer-of.ts'
import { failureAnswerOf } from '../dialect/failure-answer.ts'
import { refusalAnswer } from '../dialect/refusal-answer.ts'
import { retrySoon } from '../dialect/retry-soon.ts'
import { suitsRequest } from '../dialect/suits-request.ts'
import { isAtOnce } from '../plan/at-once.ts'
import { labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { Handout, LiveCall } from '../session/live-call.ts'
import type { ExchangeChunk, ExchangeHead, HttpAnswer } from '../trace/exchange.ts'
import { bytesOf } from '../trace/exchange-chunk.ts'
import { exchangeBody } from './exchange-body.ts'
import { httpAnswer } from './http-answer.ts'
import { refusalError } from './refusal.ts'
import type { RunState } from './run-state.ts'
import { createStreamSink, type ExchangeSink, type PromiseSink, type Settled } from './sinks.ts'

const OK: Settled = { ok: true, value: undefined }

export function createExchangeSink(
  run: RunState,
  live: LiveCall,
  boundary: HttpBoundaryCall,
  opening: PromiseSink,
): ExchangeSink {
  const chunks = createStreamSink()
  const body = (): HttpAnswer['body'] => exchangeBody(run, live, chunks, () => pull(run, live))
  let answer: RecordedAnswer | null = null
  let isOpen = false
  return {
    get isOpen() {
      return isOpen
    },
    take: handout =>
      handout.source.from === 'recorded' ? takeRecorded(handout, handout.source.delivery) : refuse(),
    // An executed result is settled already; see executing-exchange.ts.
    deliver: () => {},
    abort: reason => {
      opening.abort(reason)
      chunks.abort(reason)
    },
  }

  function takeRecorded({ part }: Handout, delivery: number): Settled {
    const call = run.plan.calls[run.plan.deliveries[delivery]!.call]!
    answer ??= recordedAnswer(run, live, call, boundary)
    if (part === 'head') return takeHead(call, answer)
    if (part === 'chunk') return takeChunk(answer)
    return takeEnd(call, answer)
  }

  /** Nothing came between the head and the end of a whole body: the agent gets the two as one, when the end has its turn. */
  function takeHead(call: PlannedCall, { head, parts }: RecordedAnswer): Settled {
    if (head === null || isAtOnce(call, run.plan.deliveries)) pull(run, live)
    else {
      open(head, body())
      // The agent had enough before the end, which alone has a place in the log where a body is no stream.
      if (call.parts.length === 1) parts.splice(0).forEach(deliverPart)
    }
    return OK
  }

  function takeChunk({ parts }: RecordedAnswer): Settled {
    const part = parts.shift()
    if (part !== undefined) deliverPart(part)
    // An answer that was made has other parts than the recorded one; who reads it waits for the next.
    else pull(run, live)
    return OK
  }

  function takeEnd(call: PlannedCall, { head, parts, error }: RecordedAnswer): Settled {
    const failed = call.error === null ? OK : ({ ok: false, error: call.error } as const)
    if (head === null) {
      opening.deliver('end', { ok: false, error })
      return failed
    }
    if (!isOpen && error === null && parts.length < 2) {
      open(head, wholeBody(parts))
      return failed
    }
    if (!isOpen) open(head, body())
    parts.forEach(deliverPart)
    chunks.deliver('end', error === null ? OK : { ok: false, error })
    return failed
  }

  /** An error would be tried again; an answer that no library tries again is read, and thrown as the library's own error. */
  function refuse(): Settled {
    const error = refusalError(live, labelOf(boundary.target), run.plan)
    run.refusedRequests.set(error.message, live.number)
    if (isOpen) chunks.deliver('end', { ok: false, error })
    else {
      const { head, body: content } = httpAnswer(refusalAnswer(boundary.exchange.read, error.message))
      open(head, content)
    }
    return { ok: false, error }
  }

  function deliverPart(part: ExchangeChunk): void {
    chunks.deliver('chunk', { ok: true, value: bytesOf(part) })
  }

  function open(head: ExchangeHead, content: HttpAnswer['body']): void {
    isOpen = true
    opening.deliver('end', { ok: true, value: { head, body: content } satisfies HttpAnswer })
  }
}

interface RecordedAnswer {
  /** Null: there was none, `error` came instead. */
  readonly head: ExchangeHead | null
  /** What is left of the body. */
  readonly parts: ExchangeChunk[]
  /** What ended it; null: it came to its end. */
  readonly error: unknown
}

function recordedAnswer(
  run: RunState,
  live: LiveCall,
  call: PlannedCall,
  boundary: HttpBoundaryCall,
): RecordedAnswer {
  const { read } = boundary.exchange
  const kept = call.exchange === undefined ? null : (run.payloads!.exchange?.(call.exchange) ?? null)
  const isOther = kept !== null && live.lent && call.error === null && !suitsRequest(read, kept.head)
  const recorded = isOther ? null : kept
  const made = recorded?.chunks == null ? madeAnswer() : null
  const head = recorded?.head ?? made?.head ?? null
  const isBroken = call.error !== null && (recorded === null ? made === null : recorded.end === 'broken')
  return {
    head: head === null ? null : retrySoon(head),
    parts: [...(recorded?.chunks ?? made?.chunks ?? [])],
    error: isBroken ? reviveError(call.error!, boundary.errors) : null,
  }

  function madeAnswer(): ReturnType<typeof answerOf> | null {
    if (call.error !== null) return failureAnswerOf(read, call.error)
    return answerOf(read, run.payloads!.field(call.outcome!, 'output') as never)
  }
}

/** A text as it is: whoever makes a Response of it need not decode it again. */
function wholeBody([part]: readonly ExchangeChunk[]): HttpAnswer['body'] {
  if (part === undefined) return null
  return typeof part === 'string' ? part : bytesOf(part)
}

/** The agent waits for the next part. */
export function pull(run: RunState, live: LiveCall): void {
  run.session.pull(live)
  run.turns.arm()
}
