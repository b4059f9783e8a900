import { canonicalText } from '../json/canonical-text.ts'
import { digest } from '../json/digest.ts'
import { parseJson } from '../json/parse-json.ts'
import { recordedKeys } from '../match/match-keys.ts'
import type { Bundle, EventHead, Slice } from '../trace/bundle.ts'
import type { Target } from '../trace/journal.ts'
import { type RecordedCall, readEventLog } from './event-log.ts'
import { identityOf, labelOf } from './identity.ts'
import type { Mode, Order, Plan, PlannedCall } from './plan.ts'
import { type Place, startTime, timelineOf } from './timeline.ts'

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
  const runs = options.mode === 'hybrid' && (options.live ?? []).includes(labelOf(target))
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
