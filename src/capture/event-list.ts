import type { TraceEvent } from '../trace/event.ts'
import type { Finding } from '../trace/redact.ts'
import { eventTime } from './event-time.ts'

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

/** What an event says, without what every event has. */
export type EventBody = DistributiveOmit<
  TraceEvent,
  | 'id'
  | 'run_id'
  | 'parent_id'
  | 'step'
  | 'timestamp'
  | 'duration_ms'
  | 'status'
  | 'replay_policy'
  | 'findings'
>

export interface EventExtra {
  readonly status?: TraceEvent['status']
  readonly durationMs?: number
  readonly policy?: TraceEvent['replay_policy']
  readonly findings?: readonly Finding[]
}

export interface EventList {
  readonly events: readonly TraceEvent[]
  /** Appends an event; gives its id. `at`: milliseconds since the run began. */
  add(at: number, parent: string | null, body: EventBody, extra?: EventExtra): string
}

export interface EventListOptions {
  readonly runId: string
  /** Wall clock at which the run began. */
  readonly beganAt: string
  readonly newId: () => string
}

/** The events of one run, numbered and dated as they are added. */
export function createEventList({ runId, beganAt, newId }: EventListOptions): EventList {
  const events: TraceEvent[] = []
  return {
    events,
    add: (at, parent, body, extra = {}) => {
      const id = newId()
      events.push({
        id,
        run_id: runId,
        parent_id: parent,
        step: events.length,
        timestamp: eventTime(beganAt, at),
        duration_ms: extra.durationMs ?? null,
        status: extra.status ?? 'ok',
        replay_policy: extra.policy ?? 'frozen',
        findings: extra.findings ?? [],
        ...body,
      })
      return id
    },
  }
}
