/** A cassette as a plan, so that `replay` plays it with the engine and the judge of every other recording. */

import type { Json } from '../json/value.ts'
import { isJsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { identityOf } from '../plan/identity.ts'
import type { Delivery, Mode, Plan, PlannedCall } from '../plan/plan.ts'
import { treatmentOf } from '../plan/treatments.ts'
import type { Slice } from '../trace/bundle.ts'
import { redact } from '../trace/redact.ts'
import type { Cassette, CassetteEntry } from './cassette.ts'
import { hintOrder } from './cassette-world.ts'

export interface CassettePlanOptions {
  readonly mode: Mode
  /** Labels of the tools and models to execute. */
  readonly live: readonly string[]
  /** Folder in which the payload lines will lie. */
  readonly folder: string
  readonly name: string
}

export interface CassettePlan {
  readonly plan: Plan
  /** What the plan's slices point into, the `events.jsonl` of `folder`. */
  readonly lines: string
}

/**
 * The entries are the recorded calls, in the order in which a `CassetteWorld` prefers them. A cassette knows no order
 * beyond that, so none is checked, and no output, so none is compared. The task is the run's input.
 */
export function planOfCassette(cassette: Cassette, options: CassettePlanOptions): CassettePlan {
  const payloads = createLines()
  const input = payloads.add({ input: cassette.task })
  const entries = hintOrder(cassette).map(index => cassette.world[index]!)
  const calls = entries.map((entry, index) => plannedCall(entry, index, options, payloads))
  const deliveries = entries.map((_, call): Delivery => ({ call, part: 'end', after: call + 1, at: 0 }))
  const plan: Plan = {
    kind: 'plan',
    version: 1,
    bundle: options.folder,
    agentName: options.name,
    runId: options.name,
    mode: options.mode,
    order: 'any',
    live: options.live,
    calls,
    deliveries,
    input,
    end: null,
    hasTriggers: false,
    keepsValues: false,
    keepsOrder: true,
    nullOutputCounts: false,
    redaction: 'compatible',
  }
  return { plan, lines: payloads.text() }
}

function plannedCall(
  { tool, match, response, error }: CassetteEntry,
  index: number,
  { mode, live }: CassettePlanOptions,
  payloads: Lines,
): PlannedCall {
  const target = { kind: 'tool', name: tool } as const
  // As a live input is redacted before it is compared.
  const redacted = redact(match.args).value
  const args = isJsonObject(redacted) ? redacted : {}
  return {
    number: index + 1,
    step: index + 1,
    target,
    identity: identityOf(target),
    keys: [`entry ${index + 1}`],
    match: { kind: match.kind, args },
    request: payloads.add({ input: args }),
    outcome: payloads.add({ output: response }),
    error: error ?? null,
    // Nothing has to come before it.
    due: 0,
    parts: [index],
    at: 0,
    trigger: null,
    shape: null,
    inside: null,
    policy: 'frozen',
    ...treatmentOf(target, 'frozen', { mode, live }),
    site: null,
  }
}

interface Lines {
  add(value: Json): Slice
  text(): string
}

function createLines(): Lines {
  const lines: string[] = []
  const encoder = new TextEncoder()
  let offset = 0
  return {
    add: value => {
      const line = writeJson(value)
      const slice = { offset, length: encoder.encode(line).length }
      lines.push(line)
      offset += slice.length + 1
      return slice
    },
    text: () => lines.map(line => `${line}\n`).join(''),
  }
}
