/** A bundle of the shape that the speed figures speak of: turns of a model call and a tool call. */

import type { Json } from '../../src/json/value.ts'
import { writeBundle } from '../../src/store/write-bundle.ts'
import type { TraceEvent } from '../../src/trace/event.ts'
import { formatTimestamp } from '../../src/trace/timestamp.ts'

/**
 * Writes it with payloads of 2 kB (request), 1 kB (response), 0.3 kB (call) and 1 kB (result); 100,000 events are about
 * 141 MB. Members stand in an agent's order, which costs the hashes more than Python's sorted ones.
 */
export function generateBundle(path: string, count: number): void {
  const manifest = {
    run_id: RUN,
    agent_name: 'bench',
    created_at: formatTimestamp(BEGAN),
    status: 'completed',
    failure: null,
    environment: { python: null, os: null, stepfork_version: null },
  } as const
  writeBundle(path, { manifest, events: eventsOf(count) })
}

const RUN = 'run_00000000000000000000000000000001'
const BEGAN = Date.UTC(2026, 10, 1)

function* eventsOf(count: number): Generator<TraceEvent> {
  yield { ...common(0, null), type: 'run_start', input: { question: 'where is my order' } }
  for (let step = 1; step < count - 1; step++) yield ofTurn(step)
  yield {
    ...common(count - 1, null),
    type: 'run_end',
    run_status: 'completed',
    output: { answer: 'on its way' },
  }
}

function ofTurn(step: number): TraceEvent {
  switch (step % 4) {
    case 1:
      return {
        ...common(step, 0),
        type: 'llm_request',
        provider: 'openai',
        model: 'gpt-4o-mini',
        input: prompt(step),
      }
    case 2: {
      const none = { prompt_tokens: null, completion_tokens: null, total_tokens: null, cost_usd: null }
      return {
        ...common(step, step - 1),
        type: 'llm_response',
        model: 'gpt-4o-mini',
        output: record(step, 6),
        ...none,
      }
    }
    case 3:
      return { ...common(step, 0), type: 'tool_call', name: 'order_status', input: record(step, 1) }
  }
  return { ...common(step, step - 1), type: 'tool_result', name: 'order_status', output: record(step, 6) }
}

type Common = Pick<
  TraceEvent,
  'id' | 'run_id' | 'parent_id' | 'step' | 'timestamp' | 'duration_ms' | 'status' | 'replay_policy'
>

function common(step: number, parent: number | null): Common {
  return {
    id: idOf(step),
    run_id: RUN,
    parent_id: parent === null ? null : idOf(parent),
    step,
    timestamp: formatTimestamp(BEGAN + step * 1.25),
    duration_ms: null,
    status: 'ok',
    replay_policy: 'frozen',
  }
}

function idOf(step: number): string {
  return `evt_${step.toString(16).padStart(32, '0')}`
}

function prompt(step: number): Json {
  return {
    messages: Array.from({ length: 10 }, (_, at) => ({ role: 'user', content: words(step + at, 160) })),
  }
}

/** About 165 bytes an item, with numbers, booleans and text outside ASCII, as real results have. */
function record(step: number, items: number): Json {
  return Array.from({ length: items }, (_, at) => ({
    order_id: `A-${step}-${at}`,
    price: (step % 1000) + 0.25,
    in_stock: at % 2 === 0,
    city: 'Köln',
    note: words(step * 7 + at, 80),
  }))
}

function words(seed: number, length: number): string {
  let text = ''
  for (let at = seed; text.length < length; at += 3) text += `${WORDS[at % WORDS.length]} `
  return text.slice(0, length)
}

const WORDS = [
  'order',
  'status',
  'the',
  'customer',
  'asked',
  'about',
  'delivery',
  'refund',
  'was',
  'sent',
  'on',
  'monday',
]
