import type { BoundaryCall } from '../boundary/slot.ts'
import { identityOf } from '../plan/identity.ts'
import type { Plan } from '../plan/plan.ts'
import type { Shape } from '../trace/call.ts'
import type { LiveInput } from './live-input.ts'

/**
 * How a plain function, which tells nothing by itself, answered in the recording. Its name decides, and where calls of that
 * name answered in several ways (a model asked with and without streaming), the input does; the first of them if no input
 * is equal. For what was not recorded: a tool answers at once, a model by a promise.
 */
export function recordedShapes(plan: Plan): (boundary: BoundaryCall, input: () => LiveInput) => Shape {
  const first = new Map(plan.calls.toReversed().map(call => [call.identity, call.shape]))
  const mixed = new Set(
    plan.calls.filter(call => call.shape !== first.get(call.identity)).map(call => call.identity),
  )
  const exact = new Map(
    plan.calls
      .filter(call => mixed.has(call.identity))
      .flatMap(call => call.keys.map(key => [`${call.identity}\n${key}`, call.shape] as const)),
  )
  return (boundary, input) => {
    const identity = identityOf(boundary.target)
    const byInput = mixed.has(identity) ? exact.get(`${identity}\n${input().key()}`) : undefined
    return byInput ?? first.get(identity) ?? (boundary.target.kind === 'tool' ? 'sync' : 'async')
  }
}
