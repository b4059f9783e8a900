import { parseSpelled } from '../json/spelling.ts'
import type { Json, JsonObject } from '../json/value.ts'
import { isJsonObject } from '../json/value.ts'
import type { Plan, PlannedCall, ReadPayload } from '../plan/plan.ts'
import type { Cassette, EntryInput } from './cassette.ts'
import { toCassette } from './read-cassette.ts'
import { MISSING_RESULT, type WorldOptions } from './world-from-trace.ts'

/**
 * A cassette with the tool calls of a recorded run, in recorded order. Calls made inside another tool's body are left out:
 * that body does not run when the tool is answered. The task is the recorded input, as a text.
 */
export function cassetteFromPlan(plan: Plan, readPayload: ReadPayload, options: WorldOptions = {}): Cassette {
  const tools = plan.calls.filter(call => call.target.kind === 'tool' && call.inside === null)
  const input = plan.input === null ? null : parseSpelled(readPayload(plan.input, 'input'))
  return toCassette({
    task: typeof input === 'string' ? input : plan.input === null ? '' : readPayload(plan.input, 'input'),
    world: tools.map((call, index) => entryOf(call, index, readPayload, options)),
  })
}

function entryOf(
  call: PlannedCall,
  index: number,
  readPayload: ReadPayload,
  { errors = 'keep' }: WorldOptions,
): EntryInput {
  return {
    tool: call.target.kind === 'tool' ? call.target.name : '',
    match: { kind: 'exact', args: argumentsOf(parseSpelled(readPayload(call.request, 'input'))) },
    response: call.outcome === null ? MISSING_RESULT : parseSpelled(readPayload(call.outcome, 'output')),
    order_hint: index,
    error: errors === 'keep' ? call.error : null,
  }
}

/** A recorded input is nearly always an object; a cassette has no other arguments. */
function argumentsOf(input: Json): JsonObject {
  if (isJsonObject(input)) return input
  return input === null ? {} : { args: [input] }
}
