/** What a call gives back to the agent: a value, a promise, a stream, or a promise that is kept when its stream begins. */
import { type BoundaryCall, type HttpBoundaryCall, isHttp } from '../boundary/slot.ts'
import type { Handout, LiveCall } from '../session/live-call.ts'
import type { Shape } from '../trace/call.ts'
import { abortRecorded } from './aborting.ts'
import type { Decision } from './decision.ts'
import { settledOf, writeDelivered } from './delivering.ts'
import { awaitExecuted, execute } from './executing.ts'
import { pump, stop } from './pumping.ts'
import { asReadable } from './readable.ts'
import { createExchangeSink, pull } from './replaying-exchange.ts'
import type { RunState } from './run-state.ts'
import { createOpeningSink, createPromiseSink, createStreamSink, type Sink } from './sinks.ts'
import { readStream } from './streaming.ts'
import { startWaiting } from './waiting.ts'

/** Tells the session of a call and gets what is to be done with it. */
export type Arrive = (boundary: BoundaryCall, shape: Shape) => Decision

export function answerCall(run: RunState, boundary: BoundaryCall, shape: Shape, arrive: Arrive): unknown {
  if (isHttp(boundary)) return answerHttp(run, boundary, arrive)
  if (shape !== 'stream') return answerOnce(run, shape, arrive(boundary, shape))
  // A generator function makes its call when it is first read.
  return boundary.declared === 'stream'
    ? answerGenerator(run, boundary, arrive)
    : answerOpening(run, arrive(boundary, 'stream'))
}

function answerOnce(run: RunState, shape: Shape, decision: Decision): unknown {
  const { live, boundary } = decision
  if (live.executes) return execute(run, live, boundary)
  if (shape === 'sync') return answerNow(run, decision)
  const sink = createPromiseSink()
  wait(run, live, boundary, shape, sink)
  return sink.promise
}

async function* answerGenerator(
  run: RunState,
  called: BoundaryCall,
  arrive: Arrive,
): AsyncGenerator<unknown, unknown> {
  // Whoever reads first makes the call; what the agent called to get the generator is long gone from the stack.
  const { live, boundary } = arrive({ ...called, entry: answerGenerator }, 'stream')
  const sink = createStreamSink()
  if (!live.executes) {
    wait(run, live, boundary, 'stream', sink)
    return yield* readStream(run, live, sink, () => pull(run, live))
  }
  awaitExecuted(run, live, { sink, boundary, shape: 'stream' })
  run.executing.set(live, boundary)
  const source = (boundary.body() as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  return yield* readStream(run, live, sink, pump(run, live, source), () => stop(run, live, source))
}

/** The agent's library gets an answer (HttpAnswer) by a promise. */
function answerHttp(run: RunState, called: HttpBoundaryCall, arrive: Arrive): Promise<unknown> {
  const { live, boundary } = arrive(called, 'stream')
  if (live.executes) return execute(run, live, boundary) as Promise<unknown>
  const opening = createPromiseSink()
  const sink = createExchangeSink(run, live, called, opening)
  wait(run, live, called, 'stream', sink)
  if (openingOf(run, live, called) !== 'by-its-head') pull(run, live)
  return opening.promise
}

/** A function that gave a stream in the recording: on the spot, or by a promise. */
function answerOpening(run: RunState, { live, boundary }: Decision): unknown {
  if (live.executes) return execute(run, live, boundary)
  const stream = createStreamSink()
  const open = () => asReadable(readStream(run, live, stream, () => pull(run, live)))
  const opening = openingOf(run, live, boundary)
  if (opening === 'at-once') {
    wait(run, live, boundary, 'stream', stream)
    return open()
  }
  const sink = createOpeningSink(createPromiseSink(), stream, open)
  wait(run, live, boundary, 'stream', sink)
  // Nobody can read a stream that has not begun, so its first part must not wait for a read.
  if (opening === 'by-its-first-part') pull(run, live)
  return sink.promise
}

/** When the promise of a stream is kept, or that it is none. */
export function openingOf(
  { plan }: RunState,
  live: LiveCall,
  { declared }: BoundaryCall,
): 'by-its-head' | 'by-its-first-part' | 'at-once' {
  const call = live.call === null ? undefined : plan.calls[live.call]
  const first = call?.parts[0]
  if (first !== undefined && plan.deliveries[first]!.part === 'head') return 'by-its-head'
  return declared === 'plain' && call?.shape === 'stream' ? 'at-once' : 'by-its-first-part'
}

function answerNow(run: RunState, { kind, live, boundary }: Decision): unknown {
  // A call that nothing will ever answer cannot wait: it stays open for ever, which for a plain call is an error.
  const handout: Handout =
    kind === 'serve' || kind === 'lend'
      ? run.session.answerNow(live)
      : { live, part: 'end', source: { from: 'refusal' } }
  const settled = settledOf(run, handout, boundary, null)
  writeDelivered(run, handout, settled, boundary)
  run.turns.arm()
  if (!settled.ok) throw settled.error
  return settled.value
}

function wait(run: RunState, live: LiveCall, boundary: BoundaryCall, shape: Shape, sink: Sink): void {
  startWaiting(run.waiting, live, { sink, boundary, shape }, reason => abortRecorded(run, live, sink, reason))
}
