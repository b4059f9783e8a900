/** The log of a recording: each call's place among the deliveries, and the deliveries in their order. */
import { StepforkError } from '../errors.ts'
import type { Bundle } from '../trace/bundle.ts'
import type { Part } from '../trace/call.ts'
import type { OriginLine } from '../trace/origin.ts'
import type { EventLog } from './event-log.ts'
import type { Delivery, PlannedCall } from './plan.ts'

/** Where a call stands in the log. */
export type Place = Pick<
  PlannedCall,
  'due' | 'parts' | 'at' | 'trigger' | 'shape' | 'inside' | 'site' | 'order' | 'abortedAfter'
>

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
  const ended = new Set<number>()
  const timeline = createTimeline(calls.length)
  for (const line of log) {
    if ('event' in line) made(line)
    else if ('part' in line) delivered(line)
    else aborted(line.call)
  }
  if (byNumber.size !== calls.length) throw doesNotFit(bundle, `${calls.length} calls`)
  return timeline.finish()

  function made(line: Extract<OriginLine, { event: string }>): void {
    const index = callOf.get(line.event)
    const inside = line.inside === null ? null : byNumber.get(line.inside)
    const trigger = typeof line.trigger === 'number' ? line.trigger - 1 : line.trigger
    const isNext = index === byNumber.size && !byNumber.has(line.call)
    const isTriggered = typeof trigger !== 'number' || (trigger >= 0 && trigger < timeline.deliveredSoFar())
    if (!isNext || inside === undefined || !isTriggered) throw doesNotFit(bundle, `call ${line.call}`)
    byNumber.set(line.call, index)
    timeline.made(index, {
      at: line.at,
      trigger,
      shape: line.shape,
      inside: inside === null ? null : inside + 1,
      site: line.site,
      ...(line.order !== undefined && { order: line.order }),
    })
  }

  function delivered({ call, part, at }: Extract<OriginLine, { part: Part }>): void {
    const index = byNumber.get(call)
    // What is handed out is read from the outcome, chunks as well; behind the end there is nothing.
    const isOpen = index !== undefined && calls[index]!.outcome !== null && !ended.has(index)
    if (!isOpen) throw doesNotFit(bundle, `call ${call}`)
    if (part === 'end') ended.add(index)
    timeline.delivered(index, part, at)
  }

  function aborted(call: number): void {
    const index = byNumber.get(call)
    if (index === undefined || ended.has(index)) throw doesNotFit(bundle, `call ${call}`)
    timeline.aborted(index)
  }
}

function createTimeline(count: number) {
  const places: (Omit<Place, 'parts'> | undefined)[] = new Array(count)
  const parts: number[][] = Array.from({ length: count }, () => [])
  const deliveries: Delivery[] = []
  let madeSoFar = 0
  return {
    deliveredSoFar: (): number => deliveries.length,
    made: (call: number, place: Omit<Place, 'parts' | 'due'>): void => {
      madeSoFar++
      places[call] = { ...place, due: deliveries.length }
    },
    delivered: (call: number, part: Part, at: number): void => {
      parts[call]!.push(deliveries.length)
      deliveries.push({ call, part, after: madeSoFar, at })
    },
    aborted: (call: number): void => {
      places[call] = { abortedAfter: parts[call]!.length, ...places[call]! }
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
