import { moveSpelling } from '../json/spelling.ts'
import type { Cassette, EntryInput } from './cassette.ts'
import { toCassette } from './read-cassette.ts'
import type { ToolCall, ToolResult, Trace } from './trace.ts'

export interface WorldOptions {
  /** Default 'keep': a recorded failure is thrown again. 'drop' answers its content instead, as grudge does. */
  readonly errors?: 'keep' | 'drop'
}

/** What a call is answered whose result the recording does not have; a value of the format. */
export const MISSING_RESULT = { error: 'missing result' } as const

/**
 * The cassette that answers what a trace's tools answered: an exact entry for each tool call, in list order, `order_hint`
 * its idx. Calls and results of one `call_id` are paired in list order, wherever they stand.
 */
export function cassetteFromTrace(trace: Trace, { errors = 'keep' }: WorldOptions = {}): Cassette {
  const results = resultsByCall(trace)
  const entries = trace.steps.flatMap(step => {
    if (step.kind !== 'tool_call') return []
    return [entryOf(step, results.get(step.call_id)?.next() ?? null, errors)]
  })
  return toCassette({ task: trace.task, world: entries })
}

function entryOf(call: ToolCall, result: ToolResult | null, errors: 'keep' | 'drop'): EntryInput {
  const { tool, args, idx } = call
  const error = errors === 'keep' ? (result?.error ?? null) : null
  const entry = { tool, match: { kind: 'exact', args }, order_hint: idx, error } as const
  if (result === null) return { ...entry, response: MISSING_RESULT }
  const answered = { ...entry, response: result.content }
  moveSpelling(result, 'content', answered, 'response')
  return answered
}

interface Results {
  next(): ToolResult | null
}

function resultsByCall({ steps }: Trace): Map<string, Results> {
  const lists = new Map<string, ToolResult[]>()
  for (const step of steps) {
    if (step.kind !== 'tool_result') continue
    const list = lists.get(step.call_id)
    if (list === undefined) lists.set(step.call_id, [step])
    else list.push(step)
  }
  return new Map([...lists].map(([id, list]) => [id, inTurn(list)]))
}

function inTurn(list: readonly ToolResult[]): Results {
  let at = 0
  return { next: () => list[at++] ?? null }
}
