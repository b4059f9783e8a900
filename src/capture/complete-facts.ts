/**
 * The journal of a replay says "as recorded" where it can. To make a bundle of such a run, the recorded payloads are put
 * back into its facts; what was executed has its own.
 */
import { isJsonObject, type Json } from '../json/value.ts'
import type { Plan, PlannedCall } from '../plan/plan.ts'
import type { RecordedExchange } from '../trace/exchange.ts'
import type { DeliveredFact, Fact, MadeFact } from '../trace/journal.ts'

export interface RecordedPayloads {
  readonly recordedInput: (call: PlannedCall) => Json
  readonly recordedResult: (call: PlannedCall) => Json
  /** Null when it was not recorded over HTTP. */
  readonly recordedExchange: (call: PlannedCall) => RecordedExchange | null
}

export function completeFacts(facts: readonly Fact[], plan: Plan, recorded: RecordedPayloads): Fact[] {
  const callOf = new Map<number, PlannedCall>()
  const streams = new Map<number, { readonly result: Json; chunks: number }>()
  const exchanged = new Set(facts.flatMap(fact => (fact.kind === 'exchange' ? [fact.live] : [])))
  return facts.flatMap(fact => {
    if (fact.kind === 'made') return [completeMade(fact)]
    if (fact.kind !== 'delivered') return [fact]
    return [...exchangeOf(fact), completeDelivered(fact)]
  })

  /** Before the first part of its answer. */
  function exchangeOf({ live }: DeliveredFact): Fact[] {
    const call = callOf.get(live)
    if (call === undefined || exchanged.has(live)) return []
    exchanged.add(live)
    const exchange = recorded.recordedExchange(call)
    return exchange === null ? [] : [{ kind: 'exchange', live, exchange }]
  }

  function completeMade(fact: MadeFact): MadeFact {
    const call = fact.call === null ? undefined : plan.calls[fact.call - 1]
    if (call === undefined) return fact
    callOf.set(fact.live, call)
    return { ...fact, input: fact.input ?? recorded.recordedInput(call) }
  }

  function completeDelivered(fact: DeliveredFact): DeliveredFact {
    const call = callOf.get(fact.live)
    if (call === undefined || fact.part === 'head') return fact
    if (fact.value !== undefined || fact.error !== undefined) return fact
    if (fact.part === 'end' && call.error !== null) return { ...fact, error: call.error }
    // A refusal: nothing that was recorded reached the agent.
    if (fact.status === 'error') return fact
    if (call.isUndefined) return { ...fact, value: null, special: 'undefined' }
    return { ...fact, value: partOf(fact, call) }
  }

  function partOf(fact: DeliveredFact, call: PlannedCall): Json {
    if (call.shape !== 'stream' || call.exchange !== undefined) return recorded.recordedResult(call)
    // Read once: a stream of a thousand chunks is one payload.
    const stream = streams.get(fact.live) ?? { result: recorded.recordedResult(call), chunks: 0 }
    streams.set(fact.live, stream)
    if (fact.part === 'end') streams.delete(fact.live)
    const { result } = stream
    if (!isJsonObject(result) || !Array.isArray(result.yielded)) return result
    return (fact.part === 'end' ? result.returned : result.yielded[stream.chunks++]) ?? null
  }
}
