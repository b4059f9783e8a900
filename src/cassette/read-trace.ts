/** A trace as text (a header and a step a line) or as a literal; and written again, each line canonical. */
import { isStepforkError } from '../errors.ts'
import { parseSpelled, spelledText } from '../json/spelling.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import {
  below,
  type Members,
  nameAt,
  objectAt,
  type Place,
  refuse,
  required,
  textAt,
  topPlace,
} from './place.ts'
import { readStep } from './read-step.ts'
import { ShapeError, type ShapeProblem } from './shape-error.ts'
import type { Step, Trace, TraceInput } from './trace.ts'

/**
 * Reads JSON lines: the header `{"type":"trace",…}`, then the steps. Blank lines are skipped. Raises ShapeError
 * (`TRACE_INVALID`) with the line of each problem.
 */
export function parseTrace(text: string, file: string | null = null): Trace {
  const problems: ShapeProblem[] = []
  const [header, ...steps] = linesOf(text, problems)
  const place = topPlace(problems, header?.number ?? 1)
  const trace = header === undefined ? null : traceOf(headerAt(header.value, place), steps, place)
  if (trace === null || problems.length > 0) throw invalid(file, problems)
  return trace
}

/** Checks a trace written as a literal and fills in the defaults. Raises ShapeError (`TRACE_INVALID`). */
export function toTrace(input: TraceInput): Trace {
  const problems: ShapeProblem[] = []
  const trace = readTrace(input, problems)
  if (trace === null || problems.length > 0) throw invalid(null, problems)
  return trace
}

/** Null, and problems, for what is no trace. */
export function readTrace(input: unknown, problems: ShapeProblem[]): Trace | null {
  const place = topPlace(problems)
  const given = objectAt(input, place)
  if (given === null) return null
  const steps = required(given, 'steps', place, (list, at) =>
    Array.isArray(list)
      ? list.map((value: unknown, index) => ({ value, place: below(at, index) }))
      : refuse(at, 'must be a list'),
  )
  return steps === null ? null : traceOf(given, steps, place)
}

/** As JSON lines, a line end after the last. */
export function formatTrace({ steps, ...header }: Trace): string {
  const lines = [{ type: 'trace', ...headerMembers(header) }, ...steps]
  return lines.map(line => `${spelledText(line as unknown as Json)}\n`).join('')
}

function headerMembers({ run_id, agent_version, task, outcome }: Omit<Trace, 'steps'>): JsonObject {
  return { run_id, agent_version, task, outcome }
}

interface StepLine {
  readonly value: unknown
  readonly place: Place
}

interface Line extends StepLine {
  readonly number: number
}

/** Only `\n` ends a line: U+2028 is content. A carriage return before it is a blank of JSON. */
function linesOf(text: string, problems: ShapeProblem[]): Line[] {
  const lines = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const place = topPlace(problems, at + 1)
    return [{ number: at + 1, place, value: parsed(line, place) }]
  })
  if (lines.length === 0) problems.push({ path: '', message: 'it is empty' })
  return lines
}

function parsed(line: string, place: Place): unknown {
  try {
    return parseSpelled(line)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    refuse(place, `is no JSON: ${error.message}`)
    return undefined
  }
}

function headerAt(value: unknown, place: Place): Members | null {
  if (value === undefined) return null
  if (isJsonObject(value) && value.type === 'trace') return value as unknown as Members
  return refuse(place, 'must be the header, {"type": "trace", …}')
}

function traceOf(given: Members | null, steps: readonly StepLine[], place: Place): Trace | null {
  if (given === null) return null
  const run_id = required(given, 'run_id', place, nameAt)
  const agent_version = required(given, 'agent_version', place, nameAt)
  const task = required(given, 'task', place, textAt)
  const outcome = required(given, 'outcome', place, outcomeAt)
  const read = steps.map(step => (step.value === undefined ? null : readStep(step.value, step.place)))
  const good = read.filter(step => step !== null)
  checkTogether(read, steps, run_id)
  if (run_id === null || agent_version === null || task === null || outcome === null) return null
  return Object.freeze({ run_id, agent_version, task, outcome, steps: Object.freeze(good) })
}

function outcomeAt(value: unknown, place: Place): Trace['outcome'] | null {
  return value === 'ok' || value === 'failed' ? value : refuse(place, 'must be ok or failed')
}

function checkTogether(
  steps: readonly (Step | null)[],
  lines: readonly StepLine[],
  runId: string | null,
): void {
  const seen = new Set<number>()
  for (const [at, step] of steps.entries()) {
    if (step === null) continue
    const { place } = lines[at]!
    if (seen.has(step.idx)) refuse(below(place, 'idx'), `${step.idx} is that of an earlier step`)
    if (runId !== null && step.run_id !== runId) refuse(below(place, 'run_id'), 'is not that of the trace')
    seen.add(step.idx)
  }
}

function invalid(file: string | null, problems: readonly ShapeProblem[]): ShapeError {
  return new ShapeError('TRACE_INVALID', file ?? 'this is no trace', problems)
}
