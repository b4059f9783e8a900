/** An HTTP request that is sent for real: its answer goes to the agent in turns as any other, and is taken down. */
import type { HttpBoundaryCall } from '../boundary/slot.ts'
import { isStreamedType } from '../dialect/streamed-type.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Part } from '../trace/call.ts'
import type { HttpAnswer } from '../trace/exchange.ts'
import { headerOf } from '../trace/header-of.ts'
import { exchangeBody } from './exchange-body.ts'
import { keepPart, startTape } from './exchange-tape.ts'
import { pump, stop } from './pumping.ts'
import type { RunState } from './run-state.ts'
import { createStreamSink, type PromiseSink, type Settled, type Sink, type StreamSink } from './sinks.ts'

export type Arrived = (part: Part, settled: Settled) => void

/** The head has come. `arrived` tells the session of each part; the returned sink is where its deliveries go. */
export function openExchange(
  run: RunState,
  live: LiveCall,
  boundary: HttpBoundaryCall,
  opening: PromiseSink,
  answer: HttpAnswer,
  arrived: Arrived,
): Sink {
  const { head } = answer
  const source = partsOf(answer.body)
  const chunks = createStreamSink()
  const isStreamed = isStreamedType(headerOf(head, 'content-type'))
  const onPull = isStreamed ? pump(run, live, source) : readThrough(run, live, source, chunks, arrived)
  startTape(run, live, boundary.exchange, head)
  return {
    deliver: (part, settled) => {
      if (part === 'head') {
        const body = exchangeBody(run, live, chunks, onPull, () => close(run, live, source))
        opening.deliver('end', { ok: true, value: { head, body: answer.body === null ? null : body } })
        if (answer.body === null) onPull()
        return
      }
      if (part === 'chunk' && settled.ok) keepPart(run, live, settled.value as Uint8Array)
      chunks.deliver(part, settled)
    },
    abort: reason => {
      opening.abort(reason)
      chunks.abort(reason)
    },
  }
}

/** The agent has had enough. When it has aborted as well, closing fails, and nobody waits for it. */
function close(run: RunState, live: LiveCall, source: AsyncIterator<Uint8Array>): void {
  stop(run, live, source).catch(() => {})
}

/** Of a body that is not streamed the parts mean nothing: they go straight to the agent, and only their end has a turn. */
function readThrough(
  run: RunState,
  live: LiveCall,
  source: AsyncIterator<Uint8Array>,
  chunks: StreamSink,
  arrived: Arrived,
): () => void {
  let isReading = false
  return () => {
    if (isReading) return
    isReading = true
    run.inFlight++
    source.next().then(
      step => {
        isReading = false
        if (step.done) {
          arrived('end', { ok: true, value: undefined })
          return
        }
        run.inFlight--
        keepPart(run, live, step.value)
        chunks.deliver('chunk', { ok: true, value: step.value })
      },
      error => arrived('end', { ok: false, error }),
    )
  }
}

function partsOf(body: HttpAnswer['body']): AsyncIterator<Uint8Array> {
  if (body === null) return onePart()
  if (typeof body === 'string') return onePart(Buffer.from(body))
  return body instanceof Uint8Array ? onePart(body) : body[Symbol.asyncIterator]()
}

async function* onePart(part?: Uint8Array): AsyncGenerator<Uint8Array, undefined> {
  if (part !== undefined) yield part
}
