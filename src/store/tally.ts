import type { Manifest } from '../trace/bundle.ts'
import type { TraceEvent } from '../trace/event.ts'

/** What the manifest says of the events, gathered while they pass by. */
export interface Tally {
  events: number
  llmCalls: number
  toolCalls: number
  /** Sum of the responses' costs; null when none has one. */
  cost: number | null
  /** Of the last error event. */
  errorStep: number | null
  lastStep: number
}

export function emptyTally(): Tally {
  return { events: 0, llmCalls: 0, toolCalls: 0, cost: null, errorStep: null, lastStep: 0 }
}

export function count(tally: Tally, event: TraceEvent): void {
  tally.events++
  tally.lastStep = event.step
  if (event.type === 'llm_request') tally.llmCalls++
  if (event.type === 'tool_call') tally.toolCalls++
  if (event.type === 'error') tally.errorStep = event.step
  if (event.type === 'llm_response' && event.cost_usd !== null)
    tally.cost = (tally.cost ?? 0) + event.cost_usd
}

/** Cost and duration as given; a cost that is not given is the sum. */
export function totalsOf(
  tally: Tally,
  given: Partial<Pick<Manifest['totals'], 'cost_usd' | 'duration_ms'>> = {},
): Manifest['totals'] {
  return {
    events: tally.events,
    llm_calls: tally.llmCalls,
    tool_calls: tally.toolCalls,
    cost_usd: given.cost_usd === undefined ? tally.cost : given.cost_usd,
    duration_ms: given.duration_ms ?? null,
  }
}
