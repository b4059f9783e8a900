/**
 * The journal of a replay says "as recorded" where it can. To make a bundle of such a run, the recorded payloads are put
 * back into its facts; what was executed has its own.
 */
import { below, type Mark } from '../json/mark.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { Shape } from '../trace/call.ts'
import type { RecordedExchange } from '../trace/exchange.ts'
import type { DeliveredFact, Fact, MadeFact } from '../trace/journal.ts'

export interface RecordedPayloads {
  readonly recordedInput: (call: PlannedCall) => Json
  readonly recordedResult: (call: PlannedCall) => Json
  /** Null when it was not recorded over HTTP. */
  readonly recordedExchange: (call: PlannedCall) => RecordedExchange | null
}

export function completeFacts(facts: readonly Fact[], plan: Plan, recorded: RecordedPayloads): Fact[] {
  const taken = new Map<number, { readonly call: PlannedCall; shape: Shape }>()
  const streams = new Map<number, RecordedStream>()
  const exchanged = new Set(facts.flatMap(fact => (fact.kind === 'exchange' ? [fact.live] : [])))
  return facts.flatMap(fact => {
    if (fact.kind === 'made') return [completeMade(fact)]
    if (fact.kind === 'shaped') noteShape(fact.live, fact.shape)
    if (fact.kind !== 'delivered') return [fact]
    return [...exchangeOf(fact), completeDelivered(fact)]
  })

  /** Before the first part of its answer. */
  function exchangeOf({ live }: DeliveredFact): Fact[] {
    const call = taken.get(live)?.call
    if (call === undefined || exchanged.has(live)) return []
    exchanged.add(live)
    const exchange = recorded.recordedExchange(call)
    return exchange === null ? [] : [{ kind: 'exchange', live, exchange }]
  }

  function completeMade(fact: MadeFact): MadeFact {
    const call = fact.call === null ? undefined : plan.calls[fact.call - 1]
    if (call === undefined) return fact
    taken.set(fact.live, { call, shape: fact.shape })
    if (fact.input !== undefined) return fact
    return { ...fact, input: recorded.recordedInput(call), ...marksOf(call.inputMarks) }
  }

  function noteShape(live: number, shape: Shape): void {
    const known = taken.get(live)
    if (known !== undefined) known.shape = shape
  }

  function completeDelivered(fact: DeliveredFact): DeliveredFact {
    const known = taken.get(fact.live)
    if (known === undefined || fact.part === 'head') return fact
    if (fact.value !== undefined || fact.error !== undefined) return fact
    const { call, shape } = known
    if (fact.part === 'end' && call.error !== null) return { ...fact, error: call.error }
    // A refusal: nothing that was recorded reached the agent.
    if (fact.status === 'error') return fact
    // The agent's side counts: a recording by Python does not tell what was a stream.
    if (shape === 'stream' && call.exchange === undefined) return { ...fact, ...partOf(fact, call) }
    return { ...fact, value: recorded.recordedResult(call), ...marksOf(call.resultMarks) }
  }

  function partOf(fact: DeliveredFact, call: PlannedCall): Partial<DeliveredFact> {
    // Read once: a stream of a thousand chunks is one payload.
    const stream = streams.get(fact.live) ?? recordedStream(recorded.recordedResult(call), call.resultMarks)
    streams.set(fact.live, stream)
    if (fact.part === 'chunk')
      return {
        value: stream.yielded[stream.chunks] ?? null,
        ...marksOf(stream.marks.get(`/yielded/${stream.chunks++}`)),
      }
    streams.delete(fact.live)
    const left = stream.yielded.slice(stream.chunks)
    return {
      value: stream.returned,
      ...marksOf(stream.marks.get('/returned')),
      ...(left.length > 0 && { yielded: left }),
    }
  }
}

interface RecordedStream {
  readonly yielded: readonly Json[]
  readonly returned: Json
  /** By the place of the part. */
  readonly marks: ReadonlyMap<string, readonly Mark[]>
  /** Handed over so far. */
  chunks: number
}

/** What was no stream then is one that only returns. */
function recordedStream(result: Json, marks: readonly Mark[] = []): RecordedStream {
  const isStream = isJsonObject(result) && Array.isArray(result.yielded)
  const { yielded, returned } = isStream
    ? (result as { readonly yielded: readonly Json[]; readonly returned?: Json })
    : { yielded: [], returned: result }
  return {
    yielded,
    returned: returned ?? null,
    marks: marksByPart(isStream ? marks : below('/returned', marks)),
    chunks: 0,
  }
}

function marksByPart(marks: readonly Mark[]): Map<string, Mark[]> {
  const parts = new Map<string, Mark[]>()
  for (const { path, is } of marks) {
    const part = /^\/(?:yielded\/\d+|returned)/.exec(path)?.[0] ?? ''
    const known = parts.get(part) ?? []
    parts.set(part, known)
    known.push({ path: path.slice(part.length), is })
  }
  return parts
}

function marksOf(marks: readonly Mark[] | undefined): Pick<DeliveredFact, 'marks'> {
  return marks === undefined ? {} : { marks }
}
