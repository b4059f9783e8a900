import { StepforkError } from '../errors.ts'
import { canonicalText } from '../json/canonical-text.ts'
import { digest } from '../json/digest.ts'
import type { Mark } from '../json/mark.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import { recordedKeys } from '../match/match-keys.ts'
import type { Bundle, EventHead, Slice } from '../trace/bundle.ts'
import type { Target } from '../trace/call.ts'
import type { ProfileName } from '../trace/redaction-profile.ts'
import type { ValuesByPlace } from '../trace/special-values.ts'
import { readEventLog } from './event-log.ts'
import { failuresOf } from './failures.ts'
import { identityOf } from './identity.ts'
import type { InputSecret, Mode, Order, Plan, PlannedCall, ReadPayload } from './plan.ts'
import { servedOf } from './served.ts'
import { startTime, timelineOf } from './timeline.ts'
import { treatmentOf } from './treatments.ts'
import { valuesOf } from './values-of.ts'

export interface PlanOptions {
  readonly mode: Mode
  readonly order: Order
  /** Labels of the tools and models that may run for real (modes hybrid and live). */
  readonly live?: readonly string[]
}

/** Decides, before the agent runs, how each recorded call will be answered. Throws BUNDLE_INVALID when sidecar and events disagree. */
export function planOf(bundle: Bundle, readPayload: ReadPayload, options: PlanOptions): Plan {
  const keepsOrder = bundle.origin?.header.keeps_order ?? false
  const start = bundle.events.find(event => event.type === 'run_start')
  const values = valuesOf(bundle, readPayload)
  const log = plannedLog(bundle, readPayload, options, values)
  const served = servedOf(bundle, readPayload, log)
  return {
    kind: 'plan',
    version: 1,
    bundle: bundle.path,
    agentName: bundle.manifest.agent_name,
    runId: bundle.manifest.run_id,
    mode: options.mode,
    order: options.order,
    live: options.live ?? [],
    ...log,
    input: start?.line ?? null,
    ...(start !== undefined && marksAs('inputMarks', values.marks(start.id, 'input'))),
    end: endOf(bundle, values),
    hasTriggers: bundle.origin !== null,
    keepsOrder,
    keepsValues: bundle.origin?.header.keeps_values ?? false,
    nullOutputCounts: bundle.origin !== null,
    redaction: bundle.origin?.header.redaction ?? 'compatible',
    ...(served !== null && { served }),
  }
}

/** The plan of a recording: nothing to match, everything is executed. */
export function emptyPlan(agentName: string, runId: string, redaction: ProfileName = 'strong'): Plan {
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
    keepsValues: true,
    nullOutputCounts: true,
    redaction,
  }
}

function plannedLog(
  bundle: Bundle,
  readPayload: ReadPayload,
  options: PlanOptions,
  values: ValuesByPlace,
): Pick<Plan, 'calls' | 'deliveries'> {
  const eventLog = readEventLog(bundle.events)
  const { places, deliveries } = timelineOf(bundle, eventLog)
  const failures = failuresOf(bundle, eventLog.calls, readPayload, values)
  const { keeps_order = false, keeps_values = false } = bundle.origin?.header ?? {}
  const exchanges = exchangesOf(bundle)
  const secrets = inputSecrets(bundle)
  const calls = eventLog.calls.map((call, index): PlannedCall => {
    const event = bundle.events[call.event]!
    const outcome = call.outcome === null ? null : bundle.events[call.outcome]!
    const target = targetOf(event)
    const inputText = readPayload(event.line, 'input')
    const exchange = exchanges.get(event.id)
    const inputMarks = values.marks(event.id, 'input')
    const isLost = outcome !== null && values.isLost(outcome.id)
    const isUnusable = isLost || isAltered(bundle, event, outcome, inputText, readPayload)
    const unusable = { treatment: 'refuse', refusal: isLost ? 'lost' : 'altered-recording' } as const
    return {
      number: index + 1,
      step: event.step,
      target,
      identity: identityOf(target),
      keys: recordedKeys(
        inputOf(bundle, event, inputText),
        { jsonTexts: !keeps_order },
        keeps_values ? inputMarks : null,
      ),
      ...(secrets.has(event.id) && { secrets: secrets.get(event.id)! }),
      request: event.line,
      outcome: outcome?.line ?? null,
      ...(exchange !== undefined && { exchange }),
      error: failures[index] ?? null,
      ...marksAs('inputMarks', inputMarks),
      ...marksAs('resultMarks', outcome === null ? [] : values.marks(outcome.id, 'output')),
      ...places[index]!,
      policy: event.policy,
      ...(isUnusable && options.mode !== 'forbidden' ? unusable : treatmentOf(target, event.policy, options)),
    }
  })
  return { calls, deliveries }
}

/** Payloads have hashes of their own; of an altered bundle the exchanges, which have none, are left alone. */
function exchangesOf({ exchanges, integrity }: Bundle): ReadonlyMap<string, Slice> {
  return new Map(integrity === 'mismatch' ? [] : exchanges.map(({ event, line }) => [event, line]))
}

function marksAs<N extends string>(name: N, marks: readonly Mark[]): { readonly [K in N]?: readonly Mark[] } {
  return (marks.length > 0 ? { [name]: marks } : {}) as { readonly [K in N]?: readonly Mark[] }
}

function inputSecrets(bundle: Bundle): ReadonlyMap<string, InputSecret[]> {
  const byEvent = new Map<string, InputSecret[]>()
  for (const { event, path, secrets } of bundle.secrets) {
    if (!path.startsWith('/input')) continue
    const own = byEvent.get(event) ?? []
    byEvent.set(event, own)
    own.push({ path: path.slice('/input'.length), secrets })
  }
  return byEvent
}

/** A line that was read as an event may still hold a number that no program can hold. */
function inputOf(bundle: Bundle, { id, step }: EventHead, text: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    throw new StepforkError(
      'BUNDLE_INVALID',
      `${bundle.path}/events.jsonl: the input of event ${id}, step ${step}: ${(cause as Error).message}`,
      'The file was edited by hand or damaged: copy the bundle again, or record the run again.',
      { cause },
    )
  }
}

function targetOf(event: EventHead): Target {
  if (event.type === 'tool_call') return { kind: 'tool', name: event.label }
  return { kind: 'llm', provider: event.provider, model: event.label }
}

/** The file digests vouch for every payload; without them each is checked against its own hash. */
function isAltered(
  bundle: Bundle,
  event: EventHead,
  outcome: EventHead | null,
  inputText: string,
  readPayload: ReadPayload,
): boolean {
  if (bundle.integrity === 'verified') return false
  const member = outcome?.type === 'error' ? 'details' : 'output'
  const outputText = outcome === null ? null : readPayload(outcome.line, member)
  return differs(inputText, event.inputHash) || differs(outputText, outcome?.outputHash ?? null)
}

function differs(text: string | null, hash: string | null): boolean {
  if (text === null || hash === null) return false
  try {
    return digest(canonicalText(text)) !== hash
  } catch {
    // What has no canonical form (1e400) has no hash that could be right.
    return true
  }
}

function endOf(bundle: Bundle, values: ValuesByPlace): Plan['end'] {
  const end = bundle.events.findLast(event => event.type === 'run_end')
  if (end === undefined) return null
  const failure = bundle.manifest.failure
  return {
    status: end.label === 'failed' ? 'failed' : 'completed',
    output: values.isLost(end.id) ? null : end.line,
    ...marksAs('outputMarks', values.marks(end.id, 'output')),
    at: end.time - startTime(bundle),
    failure: failure === null ? null : { type: failure.type, message: failure.message },
  }
}
