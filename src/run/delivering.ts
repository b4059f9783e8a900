/** From a handout of the session to the agent: reads the recorded payload, writes the fact, opens the turn, hands over. */
import { reviveError } from '../boundary/recorded-error.ts'
import { type BoundaryCall, isHttp } from '../boundary/slot.ts'
import { labelOf } from '../plan/identity.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { Handout } from '../session/live-call.ts'
import type { Part } from '../trace/call.ts'
import type { DeliveredFact } from '../trace/journal.ts'
import { writeEndedExchange } from './exchange-tape.ts'
import { keptError } from './kept-error.ts'
import { keptResult } from './kept-value.ts'
import { recordedValue } from './recorded-value.ts'
import { refusalError } from './refusal.ts'
import type { RunState } from './run-state.ts'
import { isExchangeSink, type Settled } from './sinks.ts'
import { isStreamed, type Streamed, stopWaiting, type Waiting } from './waiting.ts'

/** Hands over to a call that waits; false when nothing reached the agent: it no longer waits, or what came is held back. */
export function deliver(run: RunState, handout: Handout): boolean {
  const waiting = run.waiting.get(handout.live)
  if (waiting === undefined) return false
  const { sink } = waiting
  if (handout.part === 'end') stopWaiting(run.waiting, handout.live)
  if (isExchangeSink(sink)) {
    run.turns.window = writeDelivered(run, handout, sink.take(handout), waiting.boundary)
    return sink.isOpen || handout.part === 'end'
  }
  const settled = settledOf(run, handout, waiting.boundary, waiting)
  run.turns.window = writeDelivered(run, handout, settled, waiting.boundary)
  if (waiting.shape === 'stream') {
    for (const chunk of chunksWithoutPlace(run, handout, waiting)) sink.deliver('chunk', chunk)
    sink.deliver(handout.part, settled)
  } else if (handout.part === 'end') sink.deliver('end', settled)
  return true
}

/** The settled answer of a handout, ready for the agent: a fresh copy, or the executed result itself. `waiting`: for a stream. */
export function settledOf(
  run: RunState,
  handout: Handout,
  boundary: BoundaryCall,
  waiting: Waiting | null,
): Settled {
  switch (handout.source.from) {
    case 'executed':
      return handout.source.payload as Settled
    case 'refusal':
      return { ok: false, error: refusalError(handout.live, labelOf(boundary.target), run.plan) }
    case 'recorded': {
      const call = run.plan.calls[run.plan.deliveries[handout.source.delivery]!.call]!
      if (handout.part === 'head') return { ok: true, value: undefined }
      if (handout.part === 'end' && call.error !== null)
        return { ok: false, error: reviveError(call.error, boundary.errors) }
      if (waiting?.shape === 'stream') return recordedPart(run, call, handout.part, waiting)
      return decoded(resultOf(run, call, boundary), boundary)
    }
  }
}

/** Writes what was handed over; returns its number among all deliveries, from 1. */
export function writeDelivered(
  run: RunState,
  handout: Handout,
  settled: Settled,
  boundary: BoundaryCall,
): number {
  // What came from the recording stands there; a refusal is in the call's verdict.
  const kept = handout.source.from === 'executed' ? executedEvidence(run, handout, settled, boundary) : {}
  run.write({
    kind: 'delivered',
    live: handout.live.number,
    at: run.now(),
    part: handout.part,
    status: settled.ok && kept.error === undefined ? 'ok' : 'error',
    ...kept,
  })
  return ++run.delivered
}

function recordedPart(run: RunState, call: PlannedCall, part: Part, waiting: Waiting): Settled {
  const { yielded, returned } = streamedOf(run, call, waiting)
  if (part === 'chunk') return decoded(yielded[waiting.chunks++], waiting.boundary)
  // Null may be what became of undefined, where nobody told the two apart.
  const isNothing = returned == null && !(run.plan.keepsValues && returned === null)
  return isNothing ? { ok: true, value: undefined } : decoded(returned, waiting.boundary)
}

/** At its end a stream brings the chunks that have no places of their own in the recording, as in one of Python's. */
function chunksWithoutPlace(run: RunState, { source, part }: Handout, waiting: Waiting): Settled[] {
  if (source.from !== 'recorded' || part !== 'end') return []
  const call = run.plan.calls[run.plan.deliveries[source.delivery]!.call]!
  const left = streamedOf(run, call, waiting).yielded.slice(waiting.chunks)
  return left.map(chunk => decoded(chunk, waiting.boundary))
}

/** Read once: a stream of a thousand chunks is one payload. What was no stream then is one that only returns. */
function streamedOf(run: RunState, call: PlannedCall, waiting: Waiting): Streamed {
  if (waiting.streamed === null) {
    const output = resultOf(run, call, waiting.boundary)
    waiting.streamed = isStreamed(output) ? output : { yielded: [], returned: output }
  }
  return waiting.streamed
}

function resultOf(run: RunState, call: PlannedCall, boundary: BoundaryCall): unknown {
  return recordedValue(run.payloads!, call.outcome!, 'output', call.resultMarks, boundary.errors)
}

/** `decode` is the agent's own code: what it throws belongs to the agent. */
function decoded(output: unknown, boundary: BoundaryCall): Settled {
  try {
    return { ok: true, value: boundary.decode === null ? output : boundary.decode(output) }
  } catch (error) {
    return { ok: false, error }
  }
}

type Evidence = Pick<DeliveredFact, 'value' | 'findings' | 'marks' | 'isLost' | 'error'>

function executedEvidence(
  run: RunState,
  { live, part }: Handout,
  settled: Settled,
  boundary: BoundaryCall,
): Evidence {
  if (part === 'head') return {}
  if (!isHttp(boundary)) return evidence(run, live.number, settled, boundary)
  if (part === 'chunk') return {}
  const meaning = writeEndedExchange(run, live, settled.ok)
  return settled.ok && meaning !== null
    ? meaning
    : keptError((settled as { error?: unknown }).error, run.redactor)
}

function evidence(run: RunState, live: number, settled: Settled, boundary: BoundaryCall): Evidence {
  if (!settled.ok) return keptError(settled.error, run.redactor)
  const { value } = settled
  try {
    const plain = boundary.encode === null || value === undefined ? value : boundary.encode(value)
    const { lost, ...kept } = keptResult(plain, run.redactor)
    if (lost !== null && run.plan.mode === 'record' && boundary.decode === null)
      noteLoss(run, live, lost, boundary)
    return kept
  } catch (error) {
    // The tool has already run: the agent keeps its result, only the recording goes without.
    const reason = error instanceof Error ? error.message : String(error)
    run.write({
      kind: 'note',
      code: 'result-not-json',
      detail: `${live} ${labelOf(boundary.target)}: ${reason}`,
    })
    return { value: null, isLost: true }
  }
}

/** Of a stream once, not for each chunk. */
const noted = new WeakSet<BoundaryCall>()

function noteLoss(run: RunState, live: number, lost: string, boundary: BoundaryCall): void {
  if (noted.has(boundary)) return
  noted.add(boundary)
  const detail = `${live} ${labelOf(boundary.target)}: ${lost}`
  run.write({ kind: 'note', code: 'result-more-than-json', detail })
}
