/** A recording of the refund desk in memory: what `inspect` shows. */
import type { JsonObject } from '../../../src/json/value.ts'
import type { ReadEvent } from '../../../src/report/shown-events.ts'
import type { Bundle, EventHead, EventType } from '../../../src/trace/bundle.ts'

const START = Date.UTC(2026, 11, 1, 2, 43, 54)

type Line = JsonObject & { readonly type: EventType }

/** Lines of `events.jsonl`, an event a second. */
export const REFUND_LINES: readonly Line[] = [
  { type: 'run_start', id: 'e0', parent_id: null, input: 'Refund A-17' },
  {
    type: 'llm_request',
    id: 'e1',
    parent_id: 'e0',
    provider: 'openai',
    model: 'gpt-4o-mini',
    input: { request: { messages: [{ role: 'user', content: 'Refund A-17' }, {}], tools: [{}, {}, {}] } },
  },
  {
    type: 'llm_response',
    id: 'e2',
    parent_id: 'e1',
    model: 'gpt-4o-mini',
    output: {
      choices: [
        {
          message: { content: null, tool_calls: [{ type: 'function', function: { name: 'issue_refund' } }] },
        },
      ],
    },
    duration_ms: 640,
  },
  {
    type: 'tool_call',
    id: 'e3',
    parent_id: 'e0',
    name: 'issue_refund',
    input: { order_id: 'A-17', amount: 42.5 },
  },
  { type: 'tool_call', id: 'e4', parent_id: 'e3', name: 'check_limit', input: { amount: 42.5 } },
  {
    type: 'tool_result',
    id: 'e5',
    parent_id: 'e4',
    name: 'check_limit',
    output: { limit: 40 },
    duration_ms: 12,
  },
  {
    type: 'tool_result',
    id: 'e6',
    parent_id: 'e3',
    name: 'issue_refund',
    status: 'error',
    output: { error_type: 'RefundRefused', message: 'over the limit' },
    duration_ms: 30,
  },
  {
    type: 'error',
    id: 'e7',
    parent_id: 'e6',
    status: 'error',
    error_type: 'RefundRefused',
    message: 'over the limit',
    details: { limit: 40 },
  },
  {
    type: 'tool_call',
    id: 'e8',
    parent_id: 'e0',
    name: 'open_ticket',
    input: {},
    replay_policy: 'forbidden',
  },
]

export interface Recorded {
  readonly bundle: Bundle
  readonly readEvent: ReadEvent
}

export function recordedDesk(lines: readonly Line[] = REFUND_LINES, change: Partial<Bundle> = {}): Recorded {
  const bundle: Bundle = {
    kind: 'bundle',
    path: 'refund.sftrace',
    manifest: {
      format: 'stepfork',
      schema_version: '0.1',
      run_id: 'run_1',
      agent_name: 'support-desk',
      created_at: '2026-12-01T02:43:54.498122Z',
      status: 'failed',
      failure: { type: 'RefundRefused', message: 'over the limit', step: 7 },
      environment: { python: null, os: null, stepfork_version: null },
      totals: { events: lines.length, llm_calls: 1, tool_calls: 3, cost_usd: null, duration_ms: 700 },
    },
    events: lines.map(headOf),
    integrity: 'verified',
    origin: null,
    exchanges: [],
    values: [],
    determinism: null,
    secrets: [],
    ...change,
  }
  return { bundle, readEvent: slice => lines[slice.offset]! }
}

function headOf(line: Line, index: number): EventHead {
  const text = (name: string): string | null => (typeof line[name] === 'string' ? line[name] : null)
  return {
    id: text('id') ?? `e${index}`,
    parentId: text('parent_id'),
    step: index,
    type: line.type,
    time: START + index * 1000,
    status: text('status') === 'error' ? 'error' : 'ok',
    policy: text('replay_policy') === 'forbidden' ? 'forbidden' : 'frozen',
    inputHash: null,
    outputHash: null,
    label: text('name') ?? text('model') ?? text('error_type') ?? line.type,
    provider: text('provider'),
    line: { offset: index, length: 1 },
  }
}
