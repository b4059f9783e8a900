/**
 * From the journal of a recording to a bundle: events in the order in which things happened, as the Python recorder
 * writes them (groups G and I of its behaviours), the log for `x-origin.jsonl`, and the values that JSON lacks.
 */

import type { RecordedError } from '../json/error-record.ts'
import type { Mark } from '../json/mark.ts'
import type { Json } from '../json/value.ts'
import type { Failure, RunStatus } from '../trace/bundle.ts'
import type { NewDeterminism } from '../trace/determinism.ts'
import type { TraceEvent } from '../trace/event.ts'
import type { ExchangeLine } from '../trace/exchange.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import type { OriginLine } from '../trace/origin.ts'
import type { Finding } from '../trace/redact.ts'
import { type SpecialValue, specialValues } from '../trace/special-values.ts'
import { type Crossing, crossingsOf, failedResultOf, resultOf } from './crossing.ts'
import { determinismOf } from './determinism-lines.ts'
import { findingsInEvent } from './error-findings.ts'
import { createEventList } from './event-list.ts'
import { costOf, tokenCounts } from './token-counts.ts'

export interface RunHead {
  readonly runId: string
  readonly input: Json
  readonly inputFindings: readonly Finding[]
  readonly inputMarks?: readonly Mark[] | undefined
  /** Fresh ids for events: `evt_` and 32 hex digits. */
  readonly newId: () => string
  /** Where the agent's code made a call: `file:line:column function`. */
  readonly locate: (made: MadeFact) => string | null
}

export interface RecordedRun {
  readonly beganAt: string
  readonly status: RunStatus
  readonly failure: Failure | null
  readonly durationMs: number | null
  readonly events: readonly TraceEvent[]
  readonly log: readonly OriginLine[]
  readonly values: readonly SpecialValue[]
  readonly exchanges: readonly ExchangeLine[]
  /** Addresses of services, by environment variable. */
  readonly services: { readonly [name: string]: string }
  readonly determinism: NewDeterminism
}

/** What happened after the run had settled is not part of it. */
export function recordedRun(journal: readonly Fact[], head: RunHead): RecordedRun {
  const facts = untilEnd(journal)
  const beganAt = facts.find(fact => fact.kind === 'began')?.wallClock ?? '1970-01-01T00:00:00.000Z'
  const crossings = crossingsOf(facts)
  const { events, add } = createEventList({ ...head, beganAt })
  const log: OriginLine[] = []
  const values: SpecialValue[] = []
  const callEvents = new Map<number, string>()
  let failure: Failure | null = null
  let status: RunStatus = 'running'
  let durationMs: number | null = null

  const start = add(
    0,
    null,
    { type: 'run_start', input: head.input },
    { findings: below('input', head.inputFindings) },
  )
  keepValues(specialValues(start, 'input', head.inputMarks))
  for (const fact of facts) {
    if (fact.kind === 'made') addCall(fact)
    else if (fact.kind === 'delivered') {
      log.push({ call: fact.live, part: fact.part, at: fact.at })
      if (fact.part === 'end') addOutcome(crossings.get(fact.live)!, fact.at)
    } else if (fact.kind === 'aborted') log.push({ call: fact.live, abort: true, at: fact.at })
    else if (fact.kind === 'abandoned') addBrokenOff(crossings.get(fact.live)!, fact.at)
    else if (fact.kind === 'settled' || fact.kind === 'stalled') addEnd(fact)
  }
  // A journal that breaks off, too, keeps what was read.
  if (status === 'running') addHalfRead(facts.findLast(fact => 'at' in fact)?.at ?? 0)
  const exchanges = exchangesOf(crossings)
  const services = Object.fromEntries(
    facts.flatMap(fact => (fact.kind === 'service' ? [[fact.name, fact.url]] : [])),
  )
  const sidecars = { values, exchanges, services, determinism: determinismOf(facts) }
  return { beganAt, status, failure, durationMs, events, log, ...sidecars }

  /** One by one: a payload may hold more of them than a function has arguments. */
  function keepValues(more: readonly SpecialValue[]): void {
    for (const value of more) values.push(value)
  }

  function exchangesOf(all: ReadonlyMap<number, Crossing>): ExchangeLine[] {
    return [...all.values()].flatMap(({ made, exchange }) =>
      exchange === null ? [] : [{ event: callEvents.get(made.live)!, ...exchange.exchange }],
    )
  }

  function addCall(made: MadeFact): void {
    const parent = (made.parent === null ? undefined : callEvents.get(made.parent)) ?? start
    const input = made.input ?? null
    const extra = { policy: made.policy, findings: below('input', made.findings) }
    const { target } = made
    const event =
      target.kind === 'tool'
        ? add(made.at, parent, { type: 'tool_call', name: target.name, input }, extra)
        : add(
            made.at,
            parent,
            { type: 'llm_request', provider: target.provider, model: target.model, input },
            extra,
          )
    callEvents.set(made.live, event)
    keepValues(specialValues(event, 'input', made.marks))
    log.push({
      call: made.live,
      event,
      at: made.at,
      trigger: made.trigger,
      shape: crossings.get(made.live)!.shape,
      inside: made.parent,
      site: head.locate(made),
      ...(made.order !== undefined && { order: made.order }),
    })
  }

  function addOutcome(crossing: Crossing, at: number): void {
    const { made, end } = crossing
    const call = callEvents.get(made.live)
    if (call === undefined) return
    if (end?.error !== undefined) {
      addFailedOutcome(crossing, end.error, call, at)
      return
    }
    addResult(crossing, resultOf(crossing), call, at)
  }

  /** A model has an error event only, but where some of its answer was read before it failed: that needs a payload. */
  function addFailedOutcome(crossing: Crossing, error: RecordedError, call: string, at: number): void {
    const { isOpened, exchange } = crossing
    // An answer such as 429 is read to its end, and is all of it the failure.
    const isEventOnly =
      crossing.made.target.kind === 'llm' && (!isOpened || exchange?.exchange.end === 'whole')
    const output = failedResultOf(crossing, error)
    const parent = isEventOnly ? call : addResult(crossing, output, call, at, 'error')
    addError(at, parent, error, crossing.end?.findings)
  }

  function addResult(
    crossing: Crossing,
    output: Json,
    call: string,
    at: number,
    status: 'ok' | 'error' = 'ok',
  ): string {
    const { target } = crossing.made
    const extra = { status, durationMs: elapsed(crossing, at), findings: below('output', crossing.findings) }
    const event =
      target.kind === 'tool'
        ? add(at, call, { type: 'tool_result', name: target.name, output }, extra)
        : add(at, call, responseOf(target.model, output), extra)
    keepValues(specialValues(event, 'output', crossing.marks))
    if (crossing.isLost) addLost(event)
    return event
  }

  function addLost(event: string): void {
    values.push({ event, member: 'output', path: '', is: 'lost' })
  }

  /** Chunks that were read before an early break are kept; a plain call that was aborted stays without answer. */
  function addBrokenOff(crossing: Crossing, at: number): void {
    const call = callEvents.get(crossing.made.live)
    if (call !== undefined && crossing.isOpened) addResult(crossing, resultOf(crossing), call, at)
  }

  /** The chunks of streams that were still open; a replay serves them from here. */
  function addHalfRead(at: number): void {
    for (const crossing of crossings.values()) {
      if (crossing.end === null && crossing.abandonedAt === null) addBrokenOff(crossing, at)
    }
  }

  function addError(
    at: number,
    parent: string,
    error: RecordedError,
    findings: readonly Finding[] = [],
  ): void {
    const { name, message, marks, ...rest } = error
    const details: Json = Object.keys(rest).length > 0 ? { stepfork: rest as unknown as Json } : null
    // The format asks for a non-empty message; an empty one becomes the type's name, as Python does it.
    const event = {
      type: 'error',
      error_type: name,
      message: message === '' ? name : message,
      details,
    } as const
    const id = add(at, parent, event, { status: 'error', findings: findingsInEvent(findings) })
    keepValues(specialValues(id, 'details', marks, '/stepfork'))
  }

  function addEnd(fact: Extract<Fact, { kind: 'settled' | 'stalled' }>): void {
    durationMs = Math.floor(fact.at)
    addHalfRead(fact.at)
    if (fact.kind === 'settled' && fact.status === 'completed') {
      status = 'completed'
      const findings = below('output', fact.findings)
      const body = { type: 'run_end', run_status: 'completed', output: fact.output } as const
      const event = add(fact.at, null, body, { findings })
      keepValues(specialValues(event, 'output', fact.marks))
      if (fact.outputNotJson !== undefined) addLost(event)
      return
    }
    const { error, findings } = fact.kind === 'stalled' ? { error: STALLED, findings: [] } : fact
    status = 'failed'
    failure = {
      type: error.name,
      message: error.message === '' ? error.name : error.message,
      step: events.length,
    }
    addError(fact.at, start, error, findings)
    add(fact.at, null, { type: 'run_end', run_status: 'failed', output: null })
  }
}

const STALLED: RecordedError = {
  name: 'AgentStalled',
  message: 'the agent was waiting for something that could never happen',
}

function untilEnd(facts: readonly Fact[]): readonly Fact[] {
  const end = facts.findIndex(fact => fact.kind === 'settled' || fact.kind === 'stalled')
  return end === -1 ? facts : facts.slice(0, end + 1)
}

function responseOf(model: string, output: Json) {
  return { type: 'llm_response', model, output, ...tokenCounts(output), cost_usd: costOf(output) } as const
}

function below(member: 'input' | 'output', findings: readonly Finding[] = []): Finding[] {
  return findings.map(finding => ({ ...finding, path: `/${member}${finding.path}` }))
}

function elapsed(crossing: Crossing, at: number): number {
  return Math.max(0, Math.floor(at - crossing.made.at))
}
