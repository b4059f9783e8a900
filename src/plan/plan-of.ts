import { StepforkError } from '../errors.ts'
import { canonicalText } from '../json/canonical-text.ts'
import { digest } from '../json/digest.ts'
import { parseJson } from '../json/parse-json.ts'
import { recordedKeys } from '../match/match-keys.ts'
import type { Bundle, EventHead, Slice } from '../trace/bundle.ts'
import type { Part, Target } from '../trace/journal.ts'
import type { OriginLine } from '../trace/origin.ts'
import { type EventLog, type RecordedCall, readEventLog } from './event-log.ts'
import { identityOf } from './identity.ts'
import type { Delivery, Mode, Order, Plan, PlannedCall } from './plan.ts'

export interface PlanOptions {
  readonly mode: Mode
  readonly order: Order
  /** Labels of the tools and models to execute (mode hybrid). */
  readonly live?: readonly string[]
}

/** Exact JSON text of one payload of an event, read from `events.jsonl`. */
export type ReadPayload = (line: Slice, member: 'input' | 'output' | 'details') => string

/** Decides, before the agent runs, how each recorded call will be answered. Throws BUNDLE_INVALID when sidecar and events disagree. */
export function planOf(bundle: Bundle, readPayload: ReadPayload, options: PlanOptions): Plan {
  const eventLog = readEventLog(bundle.events)
  const timeline = timelineOf(bundle, eventLog)
  const keepsOrder = bundle.origin?.header.keeps_order ?? false
  const calls = eventLog.calls.map((call, index) =>
    planCall({ bundle, readPayload, options, call, index, place: timeline.places[index]!, keepsOrder }),
  )
  return {
    kind: 'plan',
    version: 1,
    bundle: bundle.path,
    agentName: bundle.manifest.agent_name,
    runId: bundle.manifest.run_id,
    mode: options.mode,
    order: options.order,
    live: options.live ?? [],
    calls,
    deliveries: timeline.deliveries,
    input: bundle.events.find(event => event.type === 'run_start')?.line ?? null,
    end: endOf(bundle),
    hasTriggers: bundle.origin !== null,
    keepsOrder,
    nullOutputCounts: bundle.origin !== null,
    redaction: bundle.origin?.header.redaction ?? 'compatible',
  }
}

/** The plan of a recording: nothing to match, everything is executed. */
export function emptyPlan(agentName: string, runId: string): Plan {
  return {
    kind: 'plan',
    version: 1,
    bundle: '',
    agentName,
    runId,
    mode: 'record',
    order: 'causal',
    live: 'all',
    calls: [],
    deliveries: [],
    input: null,
    end: null,
    hasTriggers: false,
    keepsOrder: true,
    nullOutputCounts: true,
    redaction: 'compatible',
  }
}

/** Where a call stands in the log. */
interface Place {
  readonly due: number
  readonly parts: readonly number[]
  readonly at: number
  readonly trigger: 'start' | number | null
  readonly sync: boolean
  readonly inside: number | null
  readonly site: string | null
}

interface Timeline {
  readonly places: readonly Place[]
  readonly deliveries: readonly Delivery[]
}

function timelineOf(bundle: Bundle, eventLog: EventLog): Timeline {
  return bundle.origin === null
    ? timelineOfEvents(bundle, eventLog)
    : timelineOfOrigin(bundle, bundle.origin.log, eventLog)
}

function timelineOfEvents(bundle: Bundle, { calls, log }: EventLog): Timeline {
  const start = startTime(bundle)
  const timeline = createTimeline(calls.length)
  for (const entry of log) {
    if ('made' in entry) {
      const { event, inside } = calls[entry.made]!
      const at = bundle.events[event]!.time - start
      timeline.made(entry.made, {
        at,
        trigger: null,
        sync: false,
        inside: inside === null ? null : inside + 1,
        site: null,
      })
    } else {
      timeline.delivered(entry.ended, 'end', bundle.events[calls[entry.ended]!.outcome!]!.time - start)
    }
  }
  return timeline.finish()
}

function timelineOfOrigin(bundle: Bundle, log: readonly OriginLine[], { calls }: EventLog): Timeline {
  const callOf = new Map(calls.map((call, index) => [bundle.events[call.event]!.id, index]))
  const byNumber = new Map<number, number>()
  const timeline = createTimeline(calls.length)
  for (const line of log) {
    if ('event' in line) {
      const index = callOf.get(line.event)
      if (index === undefined || byNumber.size !== index) throw doesNotFit(bundle, `call ${line.call}`)
      byNumber.set(line.call, index)
      const inside = line.inside === null ? null : byNumber.get(line.inside)
      if (inside === undefined) throw doesNotFit(bundle, `call ${line.call}`)
      const trigger = typeof line.trigger === 'number' ? line.trigger - 1 : line.trigger
      timeline.made(index, { ...line, trigger, inside: inside === null ? null : inside + 1 })
    } else {
      const index = byNumber.get(line.call)
      if (index === undefined || (line.part === 'end' && calls[index]!.outcome === null))
        throw doesNotFit(bundle, `call ${line.call}`)
      timeline.delivered(index, line.part, line.at)
    }
  }
  if (byNumber.size !== calls.length) throw doesNotFit(bundle, `${calls.length} calls`)
  return timeline.finish()
}

function createTimeline(count: number) {
  const places: (Omit<Place, 'parts'> | undefined)[] = new Array(count)
  const parts: number[][] = Array.from({ length: count }, () => [])
  const deliveries: Delivery[] = []
  let madeSoFar = 0
  return {
    made: (call: number, place: Omit<Place, 'parts' | 'due'>): void => {
      madeSoFar++
      places[call] = { ...place, due: deliveries.length }
    },
    delivered: (call: number, part: Part, at: number): void => {
      parts[call]!.push(deliveries.length)
      deliveries.push({ call, part, after: madeSoFar, at })
    },
    finish: (): Timeline => ({
      places: places.map((place, call) => ({ ...place!, parts: parts[call]! })),
      deliveries,
    }),
  }
}

function doesNotFit(bundle: Bundle, what: string): StepforkError {
  return new StepforkError(
    'BUNDLE_INVALID',
    `${bundle.path}/x-origin.jsonl does not fit events.jsonl: ${what}`,
    'Remove x-origin.jsonl to replay by the events alone, or record the run again.',
  )
}

interface CallContext {
  readonly bundle: Bundle
  readonly readPayload: ReadPayload
  readonly options: PlanOptions
  readonly call: RecordedCall
  readonly index: number
  readonly place: Place
  readonly keepsOrder: boolean
}

function planCall({
  bundle,
  readPayload,
  options,
  call,
  index,
  place,
  keepsOrder,
}: CallContext): PlannedCall {
  const event = bundle.events[call.event]!
  const outcome = call.outcome === null ? null : bundle.events[call.outcome]!
  const target = targetOf(event)
  const inputText = readPayload(event.line, 'input')
  const refusal = refusalOf(bundle, options, event, outcome, inputText, readPayload)
  const runs = options.mode === 'hybrid' && (options.live ?? []).includes(labelOfEvent(target))
  return {
    number: index + 1,
    step: event.step,
    target,
    identity: identityOf(target),
    keys: recordedKeys(parseJson(inputText), { jsonTexts: !keepsOrder }),
    request: event.line,
    outcome: outcome?.line ?? null,
    failed: call.failed,
    ...place,
    policy: event.policy,
    treatment: refusal !== null ? 'refuse' : runs ? 'run' : 'serve',
    refusal,
  }
}

function targetOf(event: EventHead): Target {
  if (event.type === 'tool_call') return { kind: 'tool', name: event.label }
  return { kind: 'llm', provider: event.provider, model: event.label }
}

function labelOfEvent(target: Target): string {
  return target.kind === 'tool'
    ? target.name
    : target.provider === null
      ? target.model
      : `${target.provider}/${target.model}`
}

function refusalOf(
  bundle: Bundle,
  options: PlanOptions,
  event: EventHead,
  outcome: EventHead | null,
  inputText: string,
  readPayload: ReadPayload,
): PlannedCall['refusal'] {
  if (options.mode === 'forbidden') return 'mode'
  // The file digests vouch for every payload; without them each is checked against its own hash.
  if (bundle.integrity !== 'verified') {
    const outputText =
      outcome === null ? null : readPayload(outcome.line, outcome.type === 'error' ? 'details' : 'output')
    if (isAltered(inputText, event.inputHash) || isAltered(outputText, outcome?.outputHash ?? null))
      return 'altered-recording'
  }
  return event.policy === 'forbidden' || event.policy === 'manual' ? 'policy' : null
}

function isAltered(text: string | null, hash: string | null): boolean {
  return text !== null && hash !== null && digest(canonicalText(text)) !== hash
}

function endOf(bundle: Bundle): Plan['end'] {
  const end = bundle.events.findLast(event => event.type === 'run_end')
  if (end === undefined) return null
  const failure = bundle.manifest.failure
  return {
    status: end.label === 'failed' ? 'failed' : 'completed',
    output: end.line,
    at: end.time - startTime(bundle),
    failure: failure === null ? null : { type: failure.type, message: failure.message },
  }
}

function startTime(bundle: Bundle): number {
  return bundle.events[0]?.time ?? 0
}
