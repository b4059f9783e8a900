/** Outcomes of a refund desk: an agent that asks a model, looks up an order and refunds it. */
import type {
  CallOutcome,
  Divergence,
  DivergenceFacts,
  Kind,
  Outcome,
  RunOutcome,
} from '../../../src/outcome/outcome.ts'
import type { Source } from '../../../src/trace/source.ts'

export const AGENT = 'src/support-desk.ts'

const MODEL = 'gpt-4o-mini'

export const REFUND_CALLS: readonly CallOutcome[] = [
  call(1, 'llm', MODEL, '2 messages, 3 tools'),
  call(2, 'tool', 'order_status', '{"order_id": "A-17"}'),
  { ...call(3, 'tool', 'customer_history', '{"customer_id": "c-9"}'), overlaps: 2 },
  call(4, 'llm', MODEL, '5 messages, 3 tools'),
  { ...call(5, 'tool', 'issue_refund', '{"order_id": "A-17", "amount": 42.5}'), failed: true },
  call(6, 'llm', MODEL, '7 messages, 3 tools'),
]

export function call(number: number, kind: 'tool' | 'llm', label: string, summary: string): CallOutcome {
  return {
    number,
    live: number,
    kind,
    label,
    step: number * 2 - 1,
    verdict: 'matched',
    answer: 'recorded',
    servedFrom: number,
    source: null,
    summary,
    failed: false,
    overlaps: null,
  }
}

export function matchedRun(change: Partial<RunOutcome> = {}): RunOutcome {
  return {
    bundle: { path: 'refund.sftrace', agentName: 'support-desk', runId: 'run_1', status: 'completed' },
    agent: { file: AGENT, export: null },
    mode: 'frozen',
    order: 'causal',
    isolation: 'process',
    verdict: 'matched',
    exitCode: 0,
    durationMs: 203,
    totals: {
      recorded: 6,
      matched: 6,
      changed: 0,
      reordered: 0,
      missing: 0,
      extra: 0,
      refused: 0,
      executed: 0,
    },
    calls: REFUND_CALLS,
    divergences: [],
    output: { compared: true, equal: true, answersAreRecorded: true, differences: [] },
    failure: null,
    liveCalls: 0,
    notes: [],
    served: { ids: 1, times: 1 },
    rules: [],
    waits: { held: 3, released: 0, parked: 0 },
    error: null,
    ...change,
  }
}

/** A run that diverged, with its calls' verdicts and totals taken from the divergences. */
export function divergedRun(
  divergences: readonly Divergence[],
  change: Partial<RunOutcome> = {},
): RunOutcome {
  const calls = change.calls ?? REFUND_CALLS
  const verdictOf = (number: number | null): Divergence | undefined =>
    divergences.find(found => found.call === number && found.call !== null)
  const marked = calls.map(one => markCall(one, verdictOf(one.number)))
  const counted = (...kinds: readonly Kind[]): number =>
    divergences.filter(found => kinds.includes(found.kind)).length
  return matchedRun({
    verdict: 'diverged',
    exitCode: 1,
    served: { ids: 0, times: 0 },
    totals: {
      recorded: calls.length,
      matched: marked.filter(one => one.verdict === 'matched').length,
      changed: counted('changed-input', 'changed-target'),
      reordered: counted('reordered', 'not-awaited'),
      missing: counted('missing'),
      extra: counted('extra', 'exhausted'),
      refused: counted('refused', 'no-result', 'altered-recording'),
      executed: 0,
    },
    ...change,
    divergences,
    calls: marked,
  })
}

function markCall(one: CallOutcome, found: Divergence | undefined): CallOutcome {
  if (found === undefined) return one
  const verdict = found.kind as CallOutcome['verdict']
  if (found.kind === 'missing') return { ...one, verdict, live: null, answer: 'none' }
  return { ...one, verdict, answer: found.kind.startsWith('changed') ? 'recorded' : 'refused' }
}

export function divergence(kind: Kind, change: Partial<Divergence> = {}): Divergence {
  return {
    kind,
    call: null,
    live: null,
    label: '',
    root: true,
    causedBy: null,
    occurrences: 1,
    recorded: null,
    actual: null,
    source: null,
    differences: [],
    facts: {},
    ...change,
  }
}

export function source(change: Partial<Source> & Pick<Source, 'line' | 'column'>): Source {
  return { file: AGENT, function: null, calledFrom: null, ...change }
}

/** Sketch 2: the agent refunds one more than it should. */
export const changedInput: RunOutcome = divergedRun([
  divergence('changed-input', {
    call: 5,
    live: 5,
    label: 'issue_refund',
    recorded: { order_id: 'A-17', amount: 42.5 },
    actual: { order_id: 'A-17', amount: 43.5 },
    differences: [{ path: '/amount', change: 'changed', recorded: 42.5, actual: 43.5 }],
    source: source({
      line: 14,
      column: 5,
      function: 'issue_refund',
      calledFrom: { file: AGENT, line: 42, column: 20, function: 'runTool' },
      frame: [
        '  13 |   issue_refund: async ({ order_id, amount }) =>',
        "> 14 |     shop('POST', '/refunds', { order_id, amount: amount + 1 }),",
        '     |     ^',
        '  15 | }',
      ],
    }),
  }),
])

/** Sketch 4: the agent tells somebody, which it did not when it was recorded. */
export const extraCall: RunOutcome = divergedRun(
  [
    divergence('extra', {
      live: 5,
      label: 'notify_owner',
      occurrences: 3,
      actual: { order_id: 'A-17', channel: '#refunds' },
      facts: {
        after: 4,
        swallowed: true,
        recordedLabels: [MODEL, 'order_status', 'customer_history', 'issue_refund'],
      },
      source: source({
        line: 34,
        column: 13,
        function: 'answer',
        frame: ["> 34 |       await notify_owner({ order_id, channel: '#refunds' })", '     |             ^'],
      }),
    }),
  ],
  {
    calls: [
      ...REFUND_CALLS.slice(0, 4),
      {
        ...call(0, 'tool', 'notify_owner', ''),
        number: null,
        live: 5,
        step: null,
        verdict: 'extra',
        answer: 'refused',
        servedFrom: null,
      },
      ...REFUND_CALLS.slice(4),
    ],
    totals: { ...matchedRun().totals, extra: 1 },
  },
)

/** Sketch 5: the agent forgets the ticket, so its output has none. */
export const missingCall: RunOutcome = divergedRun(
  [
    divergence('missing', {
      call: 7,
      label: 'open_ticket',
      recorded: { order_id: 'A-17', reason: 'window closed' },
      facts: { recordedSite: 'src/support-desk.ts:36:11 answer' },
    }),
    divergence('output-differs', {
      root: false,
      causedBy: 0,
      differences: [{ path: '/ticket', change: 'removed', recorded: 'T-881' }],
    }),
  ],
  {
    bundle: { path: 'ticket.sftrace', agentName: 'support-desk', runId: 'run_2', status: 'completed' },
    calls: [
      ...REFUND_CALLS,
      call(7, 'tool', 'open_ticket', '{"order_id": "A-17", "reason": "window closed"}'),
    ],
    output: {
      compared: true,
      equal: false,
      answersAreRecorded: true,
      differences: [{ path: '/ticket', change: 'removed', recorded: 'T-881' }],
    },
  },
)

const PROMPT =
  'You are the refund desk of a shop. Today is Tue Dec 01 2026. Refunds up to 50 EUR need no approval.'

/** Sketch 6: the system prompt allows more; two later prompts carry the same change. */
export const changedPrompt: RunOutcome = divergedRun(
  [1, 4, 6].map((number, index) =>
    divergence('changed-input', {
      call: number,
      live: number,
      label: MODEL,
      root: index === 0,
      causedBy: index === 0 ? null : 0,
      differences: [
        {
          path: '/request/messages/0/content',
          change: 'changed',
          recorded: PROMPT,
          actual: PROMPT.replace('50 EUR', '80 EUR'),
        },
      ],
      source: source({
        line: 29,
        column: 19,
        function: 'answer',
        frame: [
          '> 29 |     const reply = await client.chat.completions.create({ model, messages })',
          '     |                   ^',
        ],
      }),
    }),
  ),
  { durationMs: 226 },
)

/** Facts that a kind needs to be worded in full. */
const FACTS: Partial<Record<Kind, DivergenceFacts>> = {
  extra: { after: 4, swallowed: true, recordedLabels: ['order_status', 'issue_refund'] },
  exhausted: { after: 4, recordedTimes: 2 },
  'changed-target': { recordedLabels: ['order_status'] },
  reordered: { before: 3 },
  'not-awaited': { before: 2 },
  refused: { by: 'policy', policy: 'forbidden' },
  blocked: { what: 'a connection to api.example.com:443' },
  'agent-error': {
    errorName: 'TypeError',
    errorMessage: 'order.items is not iterable',
    stack: ['at answer (src/support-desk.ts:51:20)'],
  },
  'failure-differs': {
    errorName: null,
    recordedErrorName: 'RefundRefused',
    recordedErrorMessage: 'over the limit',
  },
  'not-fixed': { recordedErrorName: 'RefundRefused', recordedErrorMessage: 'over the limit' },
  'expectation-failed': { what: 'issue_refund was called' },
  'agent-timeout': {
    silentMs: 60_000,
    lastCall: 'customer_history',
    openCalls: ['customer_history'],
  },
  'agent-stalled': { lastCall: 'customer_history', openCalls: ['customer_history'] },
  'agent-exit': { code: 3 },
  'output-not-json': { what: 'a Set has no JSON form (at $.when)' },
  'too-many-calls': { limit: 112 },
}

const OF_A_RUN: readonly Kind[] = [
  'extra',
  'exhausted',
  'blocked',
  'output-differs',
  'output-not-json',
  'failure-differs',
  'not-fixed',
  'expectation-failed',
  'agent-error',
  'agent-timeout',
  'agent-stalled',
  'agent-exit',
  'too-many-calls',
]

/** A realistic run in which a finding of this kind is the only one. */
export function runWith(kind: Kind, change: Partial<Divergence> = {}): RunOutcome {
  const call = OF_A_RUN.includes(kind) ? null : 5
  return divergedRun([
    divergence(kind, {
      call,
      live: 5,
      label: 'issue_refund',
      actual: { order_id: 'A-17', amount: 43.5 },
      differences: [{ path: '/amount', change: 'changed', recorded: 42.5, actual: 43.5 }],
      facts: FACTS[kind] ?? {},
      ...change,
    }),
  ])
}

export function outcomeOf(...runs: readonly RunOutcome[]): Outcome {
  const worst = runs.find(run => run.exitCode !== 0) ?? runs[0]!
  return { stepfork: '0.1.0', shape: 1, verdict: worst.verdict, exitCode: worst.exitCode, runs }
}
