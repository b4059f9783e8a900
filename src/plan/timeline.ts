/** The log of a recording: each call's place among the deliveries, and the deliveries in their order. */
import { StepforkError } from '../errors.ts'
import type { Bundle } from '../trace/bundle.ts'
import type { Part, Shape } from '../trace/call.ts'
import type { OriginLine } from '../trace/origin.ts'
import type { EventLog } from './event-log.ts'
import type { Delivery } from './plan.ts'

/** Where a call stands in the log. */
export interface Place {
  readonly due: number
  readonly parts: readonly number[]
  readonly at: number
  readonly trigger: 'start' | number | null
  readonly shape: Shape | null
  readonly inside: number | null
  readonly site: string | null
}

export interface Timeline {
  readonly places: readonly Place[]
  readonly deliveries: readonly Delivery[]
}

/** By `x-origin.jsonl` where the bundle has it, else by its events. Throws BUNDLE_INVALID when the two disagree. */
export function timelineOf(bundle: Bundle, eventLog: EventLog): Timeline {
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
        shape: null,
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
      // What is handed out is read from the outcome, chunks as well.
      if (index === undefined || calls[index]!.outcome === null) throw doesNotFit(bundle, `call ${line.call}`)
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

/** Milliseconds since the epoch at which the recorded run began. */
export function startTime(bundle: Bundle): number {
  return bundle.events[0]?.time ?? 0
}
