/** Recordings written event by event, and the plans that are made of them. Ids and parents are short names. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll } from 'vitest'
import { digest } from '../../../src/json/digest.ts'
import type { Json } from '../../../src/json/value.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { type PlanOptions, planOf } from '../../../src/plan/plan-of.ts'
import { openPayloads } from '../../../src/store/payloads.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { type NewBundle, writeBundle } from '../../../src/store/write-bundle.ts'
import type { Bundle } from '../../../src/trace/bundle.ts'
import type { TraceEvent } from '../../../src/trace/event.ts'
import type { OriginLine } from '../../../src/trace/origin.ts'

type Changes = Partial<Omit<TraceEvent, 'type' | 'parent_id'>> & { readonly under?: string }

/** A tool call and its result; both take the fields of their event. */
export const call = (id: string, name: string, input: Json = {}, more: Changes = {}): Noted => ({
  id,
  type: 'tool_call',
  name,
  input,
  ...more,
})
export const result = (id: string, name: string, output: Json = null, more: Changes = {}): Noted => ({
  id,
  type: 'tool_result',
  name,
  output,
  ...more,
})
export const request = (id: string, model: string, input: Json = {}, more: Changes = {}): Noted => ({
  id,
  type: 'llm_request',
  provider: 'openai',
  model,
  input,
  ...more,
})
export const response = (id: string, model: string, output: Json = null, more: Changes = {}): Noted => ({
  id,
  type: 'llm_response',
  model,
  output,
  prompt_tokens: null,
  completion_tokens: null,
  total_tokens: null,
  cost_usd: null,
  ...more,
})
export const error = (
  id: string,
  name: string,
  message: string,
  more: Changes & { details?: Json } = {},
): Noted => ({
  id,
  type: 'error',
  error_type: name,
  message,
  details: null,
  status: 'error',
  ...more,
})

export interface Noted {
  readonly id: string
  readonly type: TraceEvent['type']
  readonly under?: string
  readonly [field: string]: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-plan-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

export interface Recorded {
  readonly bundle: Bundle
  readonly plan: (options?: Partial<PlanOptions>) => Plan
}

/** Writes `run_start`, the events (a millisecond apart) and a `run_end`, unless they hold one, and reads them again. */
export function recording(events: readonly Noted[], more: Partial<NewBundle> = {}): Recorded {
  const path = join(folder, `${count++}.sftrace`)
  const all = [{ id: 'start', type: 'run_start', input: null } as Noted, ...events]
  if (!events.some(event => event.type === 'run_end')) all.push(END)
  writeBundle(path, { manifest: MANIFEST, events: all.map(traceEvent), ...more })
  return reading(path)
}

/** A recording that breaks off before its end. */
export function broken(events: readonly Noted[]): Recorded {
  const path = join(folder, `${count++}.sftrace`)
  const all = [{ id: 'start', type: 'run_start', input: null } as Noted, ...events]
  writeBundle(path, { manifest: { ...MANIFEST, status: 'running' }, events: all.map(traceEvent) })
  return reading(path)
}

export function reading(path: string): Recorded {
  const bundle = readBundle(path)
  const payloads = openPayloads(path)
  return {
    bundle,
    plan: options => planOf(bundle, payloads.rawField, { mode: 'frozen', order: 'causal', ...options }),
  }
}

/** Changes the text of `events.jsonl` behind the back of every hash, and reads the bundle again. */
export function altered({ bundle }: Recorded, change: (text: string) => string): Recorded {
  const file = join(bundle.path, 'events.jsonl')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  return reading(bundle.path)
}

/** An x-origin log beside the events: what our own recorder adds. */
export function origin(log: readonly OriginLine[]): Pick<NewBundle, 'origin'> {
  return {
    origin: {
      header: {
        format: 'stepfork-origin',
        version: 1,
        recorder: { name: 'stepfork', version: '0.1.0', node: 'v20.19.0' },
        redaction: 'compatible',
        parent_run_id: null,
        keeps_order: true,
        agent: null,
        environment: { tz: null, locale: null, node_env: null },
      },
      log: log.map(line => ('event' in line ? { ...line, event: idOf(line.event) } : line)),
    },
  }
}

export const made = (call: number, event: string, more: Partial<OriginLine> = {}): OriginLine => ({
  call,
  event,
  at: call,
  trigger: 'start',
  shape: 'async',
  inside: null,
  site: null,
  ...more,
})

/** Each call of a plan in a word: `1 search`, `2 weather inside 1`, `3 read unanswered`, `4 read failed`. */
export function told({ calls }: Plan): string[] {
  return calls.map(({ number, target, inside, outcome, error }) =>
    [
      number,
      target.kind === 'tool' ? target.name : target.model,
      ...(inside === null ? [] : ['inside', inside]),
      ...(outcome === null ? ['unanswered'] : []),
      ...(error === null ? [] : ['failed']),
    ].join(' '),
  )
}

/** The bundles of the Python implementation that stand in the fixtures. */
export function fixture(name: string): Recorded {
  return reading(resolve(import.meta.dirname, `../../fixtures/recorded-0.2.1/${name}.sftrace`))
}

const MANIFEST: NewBundle['manifest'] = {
  run_id: 'run_1',
  agent_name: 'planned',
  created_at: '2026-12-01T10:00:00.000000Z',
  status: 'completed',
  failure: null,
  environment: { python: null, os: null, stepfork_version: null },
}

const END: Noted = { id: 'end', type: 'run_end', run_status: 'completed', output: null }

function traceEvent({ under, ...event }: Noted, step: number): TraceEvent {
  return {
    run_id: 'run_1',
    step,
    timestamp: `2026-12-01T10:00:00.${String(step).padStart(3, '0')}000Z`,
    duration_ms: null,
    status: 'ok',
    replay_policy: 'frozen',
    ...event,
    id: idOf(event.id as string),
    parent_id: under === undefined ? null : idOf(under),
  } as unknown as TraceEvent
}

function idOf(name: string): string {
  return `evt_${digest(name).slice(0, 32)}`
}
