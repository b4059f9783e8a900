import { StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { revive } from '../json/revive.ts'
import type { Bundle, EventHead } from '../trace/bundle.ts'
import { type SpecialValue, type ValuesByPlace, valuesByPlace } from '../trace/special-values.ts'
import type { ReadPayload } from './plan.ts'

/**
 * What `x-values.jsonl` says of the payloads, each held against the payload that it is about: what contradicts its events is
 * found before the agent runs. Throws BUNDLE_INVALID.
 */
export function valuesOf(bundle: ReadBundle, readPayload: ReadPayload): ValuesByPlace {
  const values = valuesByPlace(bundle.values)
  if (bundle.values.length === 0) return values
  const named = new Set(bundle.values.map(value => value.event))
  const events = new Map<string, EventHead>()
  for (const event of bundle.events) if (named.has(event.id)) events.set(event.id, event)
  const checked = new Set<string>()
  for (const { event, member } of bundle.values) {
    const place = `${member} ${event}`
    if (!checked.has(place)) check(bundle, events.get(event), { event, member }, values, readPayload)
    checked.add(place)
  }
  return values
}

type ReadBundle = Pick<Bundle, 'path' | 'events' | 'values'>

type Payload = Pick<SpecialValue, 'event' | 'member'>

function check(
  bundle: ReadBundle,
  event: EventHead | undefined,
  { event: id, member }: Payload,
  values: ValuesByPlace,
  readPayload: ReadPayload,
): void {
  if (event === undefined) throw contradiction(bundle, id, member, 'there is no such event')
  const marks = values.marks(id, member)
  if (marks.length === 0) return
  try {
    revive(parseJson(readPayload(event.line, member)), marks)
  } catch (error) {
    throw contradiction(bundle, id, member, (error as Error).message)
  }
}

function contradiction(bundle: ReadBundle, id: string, member: string, why: string): StepforkError {
  return new StepforkError(
    'BUNDLE_INVALID',
    `${bundle.path}/x-values.jsonl does not fit events.jsonl: the ${member} of event ${id}: ${why}`,
    'The bundle was edited by hand or damaged: copy it again, or record the run again.',
  )
}
