/**
 * The recorded calls, their outcomes, and the order of calls and deliveries, read from a bundle's events: the whole
 * truth for a bundle of the Python implementation, and the ground that `x-origin.jsonl` refines for ours.
 */
import type { EventHead } from '../trace/bundle.ts'

export interface RecordedCall {
  /** Index of the call's event. */
  readonly event: number
  /** Index of the event that holds its outcome; null when the recording has none. */
  readonly outcome: number | null
  readonly failed: boolean
  /** Index, in the list of calls, of the call inside whose body it was made. */
  readonly inside: number | null
}

export type LogEntry = { readonly made: number } | { readonly ended: number }

export interface EventLog {
  readonly calls: readonly RecordedCall[]
  readonly log: readonly LogEntry[]
}

/** Pairs calls with outcomes: by parent link, and for tools of old traces without parents by name, looking forward. */
export function readEventLog(events: readonly EventHead[]): EventLog {
  const callEvents = events.flatMap((event, index) => (isCall(event) ? [index] : []))
  const outcomes = pairOutcomes(events, callEvents)
  const inside = enclosingCalls(events, callEvents, outcomes)
  const calls = callEvents.map((event, call) => {
    const outcome = outcomes[call] ?? null
    return {
      event,
      outcome,
      failed: outcome !== null && isFailure(events[outcome]!),
      inside: inside[call] ?? null,
    }
  })
  return { calls, log: inEventOrder(calls) }
}

function isCall(event: EventHead): boolean {
  return event.type === 'tool_call' || event.type === 'llm_request'
}

function isFailure(event: EventHead): boolean {
  return event.status === 'error' || event.type === 'error'
}

function pairOutcomes(events: readonly EventHead[], callEvents: readonly number[]): (number | null)[] {
  const children = firstChildren(events)
  const paired = new Set<number>()
  const outcomes = callEvents.map(index => {
    const own = children.get(events[index]!.id)
    const outcome = events[index]!.type === 'tool_call' ? own?.tool_result : (own?.llm_response ?? own?.error)
    if (outcome === undefined || outcome <= index) return null
    paired.add(outcome)
    return outcome
  })
  pairForward(events, callEvents, outcomes, paired)
  return outcomes
}

type FirstChildren = { tool_result?: number; llm_response?: number; error?: number }

function firstChildren(events: readonly EventHead[]): Map<string, FirstChildren> {
  const children = new Map<string, FirstChildren>()
  for (const [index, event] of events.entries()) {
    if (event.parentId === null) continue
    if (event.type !== 'tool_result' && event.type !== 'llm_response' && event.type !== 'error') continue
    const row = children.get(event.parentId) ?? {}
    row[event.type] ??= index
    children.set(event.parentId, row)
  }
  return children
}

/** The next result of the same name that has no parent and no call yet, but not past the next call of that name. */
function pairForward(
  events: readonly EventHead[],
  callEvents: readonly number[],
  outcomes: (number | null)[],
  paired: ReadonlySet<number>,
): void {
  const waiting = new Map<string, number>()
  const callAt = new Map(callEvents.map((event, call) => [event, call]))
  for (const [index, event] of events.entries()) {
    const call = callAt.get(index)
    if (call !== undefined && event.type === 'tool_call') {
      if (outcomes[call] === null) waiting.set(event.label, call)
      else waiting.delete(event.label)
    } else if (event.type === 'tool_result' && event.parentId === null && !paired.has(index)) {
      const open = waiting.get(event.label)
      if (open === undefined) continue
      outcomes[open] = index
      waiting.delete(event.label)
    }
  }
}

/**
 * A call was made inside another when its path of parents enters the other at the *call* event and the other was still
 * open. A path that enters at the result only says that it came afterwards (hand-made traces chain events like that).
 */
function enclosingCalls(
  events: readonly EventHead[],
  callEvents: readonly number[],
  outcomes: readonly (number | null)[],
): (number | null)[] {
  const eventOf = new Map(events.map((event, index) => [event.id, index]))
  const callAt = new Map(callEvents.map((event, call) => [event, call]))
  const callOfOutcome = new Map(
    outcomes.flatMap((outcome, call) => (outcome === null ? [] : [[outcome, call] as const])),
  )
  /** For each event, the innermost call whose body it may lie in. */
  const around: (number | null)[] = []
  for (const [index, event] of events.entries()) {
    const parent = event.parentId === null ? undefined : eventOf.get(event.parentId)
    around.push(parent === undefined || parent >= index ? null : scopeBelow(parent))
  }
  return callEvents.map(event => {
    let call = around[event] ?? null
    while (call !== null && isClosed(call, event)) call = around[callEvents[call]!] ?? null
    return call
  })

  function scopeBelow(parent: number): number | null {
    const call = callAt.get(parent)
    if (call !== undefined) return call
    const ended = callOfOutcome.get(parent)
    return (ended === undefined ? around[parent] : around[callEvents[ended]!]) ?? null
  }

  function isClosed(call: number, at: number): boolean {
    const outcome = outcomes[call] ?? null
    return outcome !== null && outcome < at
  }
}

function inEventOrder(calls: readonly RecordedCall[]): LogEntry[] {
  const entries = calls.flatMap((call, index) => {
    const made = { at: call.event, entry: { made: index } as LogEntry }
    return call.outcome === null ? [made] : [made, { at: call.outcome, entry: { ended: index } as LogEntry }]
  })
  return entries.sort((a, b) => a.at - b.at).map(({ entry }) => entry)
}
