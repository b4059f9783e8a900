/** From a handout of the session to the agent: reads the recorded payload, writes the fact, opens the turn, hands over. */
import { recordError, reviveError } from '../boundary/recorded-error.ts'
import type { BoundaryCall } from '../boundary/slot.ts'
import type { Json } from '../json/value.ts'
import { labelOf } from '../plan/identity.ts'
import type { Handout } from '../session/live-call.ts'
import type { Part } from '../trace/call.ts'
import type { DeliveredFact, RecordedError } from '../trace/journal.ts'
import { redact } from '../trace/redact.ts'
import { keptValue } from './kept-value.ts'
import { refusalError } from './refusal.ts'
import type { RunState, Waiting } from './run-state.ts'
import type { Settled } from './sinks.ts'

/** Hands over to a call that waits; false when the agent no longer waits for it. */
export function deliver(run: RunState, handout: Handout): boolean {
  const waiting = run.waiting.get(handout.live)
  if (waiting === undefined) return false
  const settled = settledOf(run, handout, waiting.boundary)
  const { isWhole, chunks } = streamedAtOnce(run, handout, waiting)
  run.turns.window = writeDelivered(run, handout, settled, waiting.boundary)
  if (handout.part === 'end') run.waiting.delete(handout.live)
  for (const value of isWhole ? chunks : []) waiting.sink.deliver('chunk', { ok: true, value })
  waiting.sink.deliver(handout.part, settled)
  return true
}

/** The settled answer of a handout, ready for the agent: a fresh copy, or the executed result itself. */
export function settledOf(run: RunState, handout: Handout, boundary: BoundaryCall): Settled {
  switch (handout.source.from) {
    case 'executed':
      return handout.source.payload as Settled
    case 'refusal':
      return { ok: false, error: refusalError(handout.live, labelOf(boundary.target), run.plan) }
    case 'recorded':
      return recorded(run, handout.source.delivery, handout.part, boundary)
  }
}

/** Writes what was handed over; returns its number among all deliveries, from 1. */
export function writeDelivered(
  run: RunState,
  handout: Handout,
  settled: Settled,
  boundary: BoundaryCall,
): number {
  run.write({
    kind: 'delivered',
    live: handout.live.number,
    at: run.now(),
    part: handout.part,
    status: settled.ok ? 'ok' : 'error',
    // What came from the recording stands there; a refusal is in the call's verdict.
    ...(handout.source.from === 'executed' && evidence(run, handout.live.number, settled, boundary)),
  })
  return ++run.delivered
}

function recorded(run: RunState, delivery: number, part: Part, boundary: BoundaryCall): Settled {
  const call = run.plan.calls[run.plan.deliveries[delivery]!.call]!
  if (part === 'end' && call.error !== null)
    return { ok: false, error: reviveError(call.error, boundary.errors) }
  if (part === 'end' && call.isUndefined) return { ok: true, value: undefined }
  const output = run.payloads!.field(call.outcome!, 'output')
  if (!isStreamed(output) || call.shape !== 'stream') return { ok: true, value: decoded(output, boundary) }
  if (part === 'end') return { ok: true, value: output.returned ?? undefined }
  const place = call.parts.filter(other => run.plan.deliveries[other]!.part === 'chunk').indexOf(delivery)
  return { ok: true, value: output.yielded[place] }
}

/** A stream whose chunks have no places of their own in the recording comes in one turn. */
function streamedAtOnce(
  run: RunState,
  handout: Handout,
  waiting: Waiting,
): { isWhole: boolean; chunks: unknown[] } {
  const none = { isWhole: false, chunks: [] }
  if (waiting.shape !== 'stream' || handout.source.from !== 'recorded' || handout.part !== 'end') return none
  const call = run.plan.calls[run.plan.deliveries[handout.source.delivery]!.call]!
  if (call.outcome === null || call.shape === 'stream') return none
  const output = run.payloads!.field(call.outcome, 'output')
  return isStreamed(output) ? { isWhole: true, chunks: output.yielded } : none
}

function isStreamed(output: unknown): output is { yielded: unknown[]; returned?: unknown } {
  return (
    typeof output === 'object' && output !== null && Array.isArray((output as { yielded?: unknown }).yielded)
  )
}

function decoded(output: unknown, boundary: BoundaryCall): unknown {
  return boundary.decode === null ? output : boundary.decode(output)
}

type Evidence = Pick<DeliveredFact, 'value' | 'findings' | 'special' | 'error'>

function evidence(run: RunState, live: number, settled: Settled, boundary: BoundaryCall): Evidence {
  if (!settled.ok) return { error: redactError(recordError(settled.error)) }
  if (settled.value === undefined) return { value: null, special: 'undefined' }
  try {
    const plain = boundary.encode === null ? settled.value : boundary.encode(settled.value)
    return keptValue(plain)
  } catch (error) {
    // The tool has already run: the agent keeps its result, only the recording goes without.
    const reason = error instanceof Error ? error.message : String(error)
    run.write({
      kind: 'note',
      code: 'result-not-json',
      detail: `${live} ${labelOf(boundary.target)}: ${reason}`,
    })
    return { value: null, special: 'lost' }
  }
}

export function redactError(error: RecordedError): RecordedError {
  return redact(error as unknown as Json).value as unknown as RecordedError
}
