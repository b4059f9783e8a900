/** Calls that are executed: the body runs inside the call, and its result goes back through the session to its place. */
import { type BoundaryCall, type HttpBoundaryCall, isHttp } from '../boundary/slot.ts'
import type { LiveCall } from '../session/live-call.ts'
import type { Part, Shape } from '../trace/call.ts'
import type { HttpAnswer } from '../trace/exchange.ts'
import { noteAbort } from './aborting.ts'
import { writeDelivered } from './delivering.ts'
import { openExchange } from './executing-exchange.ts'
import { arrived, inside, pump, stop } from './pumping.ts'
import { asReadable } from './readable.ts'
import type { RunState } from './run-state.ts'
import {
  createOpeningSink,
  createPromiseSink,
  createStreamSink,
  type PromiseSink,
  type Settled,
  type StreamSink,
} from './sinks.ts'
import { readStream } from './streaming.ts'
import { type Expected, startWaiting, stopWaiting } from './waiting.ts'

/** Runs the body. A synchronous result is returned at once, a promise or stream is answered in its place. */
export function execute(run: RunState, live: LiveCall, boundary: BoundaryCall): unknown {
  let result: unknown
  run.executing.set(live, boundary)
  try {
    result = inside(run, live, boundary.body)
  } catch (error) {
    answeredAtOnce(run, live, boundary, { ok: false, error })
    throw error
  }
  if (isThenable(result)) return awaitResult(run, live, boundary, result)
  if (isAsyncIterable(result)) return stream(run, live, boundary, result)
  answeredAtOnce(run, live, boundary, { ok: true, value: result })
  return result
}

/** The signal is the tool's own to heed; that it aborted is noted. */
export function awaitExecuted(run: RunState, live: LiveCall, expected: Expected): void {
  stopWaiting(run.waiting, live)
  startWaiting(run.waiting, live, expected, () => noteAbort(run, live))
}

function awaitResult(
  run: RunState,
  live: LiveCall,
  boundary: BoundaryCall,
  result: PromiseLike<unknown>,
): unknown {
  const sink = createPromiseSink()
  shaped(run, live, boundary, 'async')
  awaitExecuted(run, live, { sink, boundary, shape: 'async' })
  run.inFlight++
  result.then(
    value => {
      if (isHttp(boundary)) exchanged(run, live, boundary, sink, value as HttpAnswer)
      else if (isAsyncIterable(value)) opened(run, live, boundary, sink, value)
      else arrived(run, live, 'end', { ok: true, value })
    },
    error => arrived(run, live, 'end', { ok: false, error }),
  )
  return sink.promise
}

function exchanged(
  run: RunState,
  live: LiveCall,
  boundary: HttpBoundaryCall,
  opening: PromiseSink,
  answer: HttpAnswer,
): void {
  const tell = (part: Part, settled: Settled): void => arrived(run, live, part, settled)
  const sink = openExchange(run, live, boundary, opening, answer, tell)
  awaitExecuted(run, live, { sink, boundary, shape: 'stream' })
  arrived(run, live, 'head', { ok: true, value: undefined })
}

/** The promise was one of a stream: its head is an answer of its own, the chunks follow as they are read. */
function opened(
  run: RunState,
  live: LiveCall,
  boundary: BoundaryCall,
  promise: PromiseSink,
  result: AsyncIterable<unknown>,
): void {
  const chunks = createStreamSink()
  const sink = createOpeningSink(promise, chunks, () => readSource(run, live, chunks, result))
  run.write({ kind: 'shaped', live: live.number, shape: 'stream' })
  awaitExecuted(run, live, { sink, boundary, shape: 'stream' })
  arrived(run, live, 'head', { ok: true, value: undefined })
}

function stream(
  run: RunState,
  live: LiveCall,
  boundary: BoundaryCall,
  result: AsyncIterable<unknown>,
): unknown {
  const sink = createStreamSink()
  shaped(run, live, boundary, 'stream')
  awaitExecuted(run, live, { sink, boundary, shape: 'stream' })
  return readSource(run, live, sink, result)
}

function readSource(
  run: RunState,
  live: LiveCall,
  sink: StreamSink,
  result: AsyncIterable<unknown>,
): AsyncGenerator<unknown, unknown> {
  const source = result[Symbol.asyncIterator]()
  return asReadable(readStream(run, live, sink, pump(run, live, source), () => stop(run, live, source)))
}

function shaped(run: RunState, live: LiveCall, boundary: BoundaryCall, shape: Shape): void {
  if (boundary.declared === 'plain') run.write({ kind: 'shaped', live: live.number, shape })
}

function answeredAtOnce(run: RunState, live: LiveCall, boundary: BoundaryCall, settled: Settled): void {
  run.executing.delete(live)
  run.session.answeredAtOnce(live)
  run.turns.arm()
  writeDelivered(
    run,
    { live, part: 'end', source: { from: 'executed', payload: settled } },
    settled,
    boundary,
  )
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
