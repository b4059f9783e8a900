/**
 * Recorded steps as a plan for the session: every turn a model call, in this order; every recorded tool call one that was
 * made inside the turn before it, so that it may be asked once that turn was served, and holds nothing when it is not.
 */
import { identityOf } from '../plan/identity.ts'
import type { Delivery, Plan, PlannedCall } from '../plan/plan.ts'
import { emptyPlan } from '../plan/plan-of.ts'
import type { Target } from '../trace/call.ts'
import { isOurs } from './request-hash.ts'
import type { InferenceRecord, StepRecord, ToolCallRecord } from './step-record.ts'
import { decodeTurn, type Turn } from './turn.ts'

export interface ServedTurn {
  readonly turn: Turn
  readonly record: InferenceRecord
  /** Index of the step, from 0. */
  readonly position: number
}

/** Why a step holds no turn that can be served. */
export interface StepFault {
  readonly kind: 'no-inference' | 'decode'
  readonly message: string
}

export type TurnEntry = { readonly kind: 'turn'; readonly position: number; readonly step: StepRecord } & (
  | { readonly served: ServedTurn }
  | { readonly served: null; readonly fault: StepFault }
)

/** What stands behind each call of the plan. */
export type Entry =
  /** The run itself: what tools gave back before the first turn lies inside it. */
  { readonly kind: 'run' } | TurnEntry | { readonly kind: 'tool'; readonly record: ToolCallRecord }

export interface TurnPlan {
  readonly plan: Plan
  /** One for each call of the plan. */
  readonly entries: readonly Entry[]
  /** Tools whose arguments can be compared: every recorded hash of them is of our making. */
  readonly comparable: ReadonlySet<string>
}

/** Raises STEP_RECORD_INVALID for an inference that is no such record. */
export function turnPlan(runId: string, steps: readonly StepRecord[], skipToolOnly: boolean): TurnPlan {
  const entries = entriesOf(steps, skipToolOnly)
  const comparable = comparableTools(steps)
  const calls = callsOf(entries, comparable)
  const deliveries = calls.map((_, call): Delivery => ({ call, part: 'end', after: call + 1, at: 0 }))
  const plan: Plan = {
    ...emptyPlan('', runId),
    mode: 'frozen',
    order: 'sequence',
    live: [],
    calls,
    deliveries,
  }
  return { plan, entries, comparable }
}

function entriesOf(steps: readonly StepRecord[], skipToolOnly: boolean): Entry[] {
  const entries: Entry[] = [{ kind: 'run' }]
  for (const [position, step] of steps.entries()) {
    if (step.inference !== null || !skipToolOnly) entries.push(turnEntry(position, step))
    for (const record of step.tool_calls) entries.push({ kind: 'tool', record })
  }
  return entries
}

function turnEntry(position: number, step: StepRecord): TurnEntry {
  const record = step.inference
  const base = { kind: 'turn', position, step } as const
  if (record === null) return { ...base, served: null, fault: TOOL_ONLY }
  const turn = decodeTurn(record)
  if (typeof turn !== 'string') return { ...base, served: { turn, record, position } }
  return { ...base, served: null, fault: { kind: 'decode', message: turn } }
}

const TOOL_ONLY: StepFault = {
  kind: 'no-inference',
  message: 'the step has no recorded inference, it only ran tools',
}

function comparableTools(steps: readonly StepRecord[]): ReadonlySet<string> {
  const calls = steps.flatMap(step => step.tool_calls)
  const foreign = new Set(calls.filter(call => !isOurs(call.args_hash)).map(call => call.tool))
  return new Set(calls.map(call => call.tool).filter(tool => !foreign.has(tool)))
}

function callsOf(entries: readonly Entry[], comparable: ReadonlySet<string>): PlannedCall[] {
  let outer = 0
  return entries.map((entry, index) => {
    if (entry.kind === 'tool') return toolCall(index, entry.record, outer + 1, comparable)
    outer = index
    return planned(index, entry.kind === 'run' ? RUN : MODEL)
  })
}

const RUN: Target = { kind: 'tool', name: '' }
/** Whom a turn asks is not matched by name: the model is among its parameters, which are hashed. */
export const MODEL: Target = { kind: 'llm', provider: null, model: '' }
/** Stands for a hash of arguments that cannot be compared. */
export const ANY_ARGUMENTS = ''

function toolCall(
  index: number,
  record: ToolCallRecord,
  inside: number,
  comparable: ReadonlySet<string>,
): PlannedCall {
  return {
    ...planned(index, { kind: 'tool', name: record.tool }),
    keys: [comparable.has(record.tool) ? record.args_hash : ANY_ARGUMENTS],
    inside,
    treatment: record.is_side_effecting ? 'serve' : 'run',
  }
}

/** A step has neither bytes in a bundle nor times: those stay empty, and nothing reads them here. */
function planned(index: number, target: Target): PlannedCall {
  return {
    number: index + 1,
    step: index,
    target,
    identity: identityOf(target),
    keys: [],
    request: NOWHERE,
    outcome: NOWHERE,
    error: null,
    due: index,
    parts: [index],
    at: 0,
    trigger: null,
    shape: 'async',
    inside: null,
    policy: 'frozen',
    treatment: 'serve',
    refusal: null,
    site: null,
  }
}

const NOWHERE = { offset: 0, length: 0 } as const
