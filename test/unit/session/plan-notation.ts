/**
 * Plans in a line of text, so that a test shows its recording. Tokens in the order in which things happened:
 *
 *   +a          call `a` is made: tool `t`, input `a`        +search:a   tool `search`, input `a`
 *   -a  ~a  ^a  the end, a chunk, the head of its answer      +a'         an equal call again: the input is still `a`
 *   +b@a        triggered by the last delivery of `a` so far  +b@start    by the run's start (without: a timer or I/O)
 *   +b/a        made inside the body of `a`                   +a=         answered synchronously;  +a*  a stream
 */
import type { Delivery, Plan, PlannedCall } from '../../../src/plan/plan.ts'
import { emptyPlan } from '../../../src/plan/plan-of.ts'
import type { Part, Shape } from '../../../src/trace/call.ts'

export interface NotedCall {
  readonly label: string
  readonly tool: string
  readonly input: string
  readonly trigger: string | null
  readonly inside: string | null
  readonly shape: Shape
}

const CALL =
  /^(?:(?<tool>[a-z]+):)?(?<input>[a-z0-9]+)(?<again>'*)(?:@(?<trigger>[^/=*]+))?(?:\/(?<inside>[^=*]+))?(?<shape>[=*])?$/
const PARTS: { readonly [sign: string]: Part } = { '-': 'end', '~': 'chunk', '^': 'head' }
const SHAPES: { readonly [sign: string]: Shape } = { '=': 'sync', '*': 'stream' }

/** Reads a call as it stands behind the `+`, also for a live call. */
export function notedCall(text: string): NotedCall {
  const groups = CALL.exec(text)?.groups
  if (groups === undefined) throw new Error(`not a call: ${text}`)
  const { tool = 't', input = '', again = '', trigger = null, inside = null, shape = '' } = groups
  const label = `${tool === 't' ? '' : `${tool}:`}${input}${again}`
  return { label, tool, input, trigger, inside, shape: SHAPES[shape] ?? 'async' }
}

type Change = Partial<PlannedCall>

export interface PlanChanges extends Partial<Omit<Plan, 'calls'>> {
  /** Changes to single calls, by label. */
  readonly calls?: { readonly [label: string]: Change }
}

export function planFrom(log: string, changes: PlanChanges = {}): Plan {
  const calls: PlannedCall[] = []
  const deliveries: Delivery[] = []
  const numbers = new Map<string, number>()
  for (const token of log.split(/\s+/).filter(Boolean)) {
    const at = (calls.length + deliveries.length) * 5
    if (token.startsWith('+')) made(notedCall(token.slice(1)), at)
    else delivered(PARTS[token[0]!]!, token.slice(1), at)
  }
  const { calls: ofCalls = {}, ...ofPlan } = changes
  return {
    ...emptyPlan('notation', 'run'),
    mode: 'frozen',
    live: [],
    hasTriggers: true,
    end: { status: 'completed', output: null, at: 1000, failure: null },
    ...ofPlan,
    calls: calls.map(call => ({ ...call, ...ofCalls[call.site!] })),
    deliveries,
  }

  function made(noted: NotedCall, at: number): void {
    numbers.set(noted.label, calls.length + 1)
    calls.push({
      number: calls.length + 1,
      step: calls.length + 1,
      target: { kind: 'tool', name: noted.tool },
      identity: `tool ${noted.tool}`,
      keys: [noted.input],
      request: { offset: 0, length: 0 },
      outcome: { offset: 0, length: 0 },
      error: null,
      due: deliveries.length,
      parts: [],
      at,
      trigger: triggerOf(noted.trigger),
      shape: noted.shape,
      inside: noted.inside === null ? null : numberOf(noted.inside),
      policy: 'frozen',
      treatment: 'serve',
      refusal: null,
      site: noted.label,
    })
  }

  function delivered(part: Part, label: string, at: number): void {
    const call = numberOf(label) - 1
    ;(calls[call]!.parts as number[]).push(deliveries.length)
    deliveries.push({ call, part, after: calls.length, at })
  }

  function triggerOf(trigger: string | null): PlannedCall['trigger'] {
    if (trigger === null || trigger === 'start') return trigger
    return calls[numberOf(trigger) - 1]!.parts.at(-1)!
  }

  function numberOf(label: string): number {
    const number = numbers.get(label)
    if (number === undefined) throw new Error(`no call ${label} before this place of the log`)
    return number
  }
}
