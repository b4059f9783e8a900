/** What happened at the boundary for each live call: the fold of its journal facts. */

import type { RecordedError } from '../json/error-record.ts'
import { below, type Mark } from '../json/mark.ts'
import type { Json } from '../json/value.ts'
import type { Shape } from '../trace/call.ts'
import type { DeliveredFact, ExchangeFact, Fact, MadeFact } from '../trace/journal.ts'
import type { Finding } from '../trace/redact.ts'
import { findingsInResult } from './error-findings.ts'

export interface Crossing {
  readonly made: MadeFact
  readonly shape: Shape
  readonly chunks: readonly Json[]
  /** What was redacted in the result, chunks included; paths are below the result. */
  readonly findings: readonly Finding[]
  /** What in the result JSON lacks, chunks included; paths are below the result. */
  readonly marks: readonly Mark[]
  /** The stream had begun. */
  readonly isOpened: boolean
  /** Some of the result had no JSON form. */
  readonly isLost: boolean
  readonly end: DeliveredFact | null
  /** Of a call over HTTP. */
  readonly exchange: ExchangeFact | null
  /** The agent broke it off, at this time. */
  readonly abandonedAt: number | null
}

export function crossingsOf(facts: readonly Fact[]): ReadonlyMap<number, Crossing> {
  const crossings = new Map<number, Crossing>()
  for (const fact of facts) {
    if (fact.kind === 'made') crossings.set(fact.live, crossingOf(fact))
    else if (fact.kind === 'shaped') amend(fact.live, { shape: fact.shape })
    else if (fact.kind === 'abandoned') amend(fact.live, { abandonedAt: fact.at })
    else if (fact.kind === 'exchange') exchanged(fact)
    else if (fact.kind === 'delivered') delivered(fact)
  }
  return crossings

  function delivered(fact: DeliveredFact): void {
    const crossing = crossings.get(fact.live)
    if (crossing === undefined) return
    append(crossing.findings, findingsIn(fact, crossing))
    append(crossing.marks, marksIn(fact, crossing))
    if (fact.part === 'chunk') append(crossing.chunks, [fact.value ?? null])
    if (fact.yielded !== undefined) append(crossing.chunks, fact.yielded)
    if (fact.part !== 'end' && !crossing.isOpened) amend(fact.live, { isOpened: true })
    if (fact.isLost === true) amend(fact.live, { isLost: true })
    if (fact.part === 'end') amend(fact.live, { end: fact })
  }

  function exchanged(fact: ExchangeFact): void {
    append(crossings.get(fact.live)?.findings ?? [], fact.findings ?? [])
    amend(fact.live, { exchange: fact })
  }

  function amend(live: number, change: Partial<Crossing>): void {
    const crossing = crossings.get(live)
    if (crossing !== undefined) crossings.set(live, { ...crossing, ...change })
  }
}

/** In place: copying the lists for each chunk would be quadratic. One by one: arguments of a function are not without limit. */
function append<T>(list: readonly T[], more: readonly T[]): void {
  for (const item of more) (list as T[]).push(item)
}

function crossingOf(made: MadeFact): Crossing {
  const { shape } = made
  return {
    made,
    shape,
    chunks: [],
    findings: [],
    marks: [],
    isOpened: false,
    isLost: false,
    end: null,
    exchange: null,
    abandonedAt: null,
  }
}

function findingsIn({ part, error, findings = [] }: DeliveredFact, crossing: Crossing): readonly Finding[] {
  if (error !== undefined) return findingsInResult(findings)
  const place = placeOf(part, crossing)
  return findings.map(finding => ({ ...finding, path: `${place}${finding.path}` }))
}

function marksIn({ part, marks }: DeliveredFact, crossing: Crossing): readonly Mark[] {
  return below(placeOf(part, crossing), marks)
}

/** Where the value of a delivery stands in the whole result. */
function placeOf(part: DeliveredFact['part'], { shape, chunks, exchange }: Crossing): string {
  if (shape !== 'stream' || exchange !== null) return ''
  return part === 'chunk' ? `/yielded/${chunks.length}` : '/returned'
}

/**
 * The whole result of a finished call, as its payload: a stream is `{ "yielded": […], "returned": … }`, what came over HTTP
 * is what it means.
 */
export function resultOf(crossing: Crossing): Json {
  const value = crossing.end?.value ?? crossing.exchange?.output ?? null
  if (crossing.exchange !== null) return value
  return crossing.shape === 'stream' ? { yielded: crossing.chunks, returned: value } : value
}

/** As Python's recorder writes a failed tool's result; the chunks of a stream that failed on the way are kept beside it. */
export function failedResultOf(crossing: Crossing, error: RecordedError): Json {
  const failure = { error_type: error.name, message: error.message }
  const partial = crossing.exchange?.output
  if (crossing.exchange !== null) return partial === undefined ? failure : { ...failure, partial }
  return crossing.chunks.length === 0 ? failure : { ...failure, yielded: crossing.chunks }
}
