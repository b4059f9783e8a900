/** The words for what recorded turns cannot answer; each names the run, the super-step and the position. */
import { TurnReplayError } from '../errors.ts'
import type { StepRecord } from './step-record.ts'
import type { StepFault } from './turn-plan.ts'

/** A request that was not the recorded one. */
export interface TurnMismatch {
  readonly position: number
  readonly superStep: number | bigint
  /** `prompt`: the model would have read something else. `params`: other settings, other tools, or another model. */
  readonly part: 'prompt' | 'params'
  readonly recorded: string
  readonly actual: string
}

export interface RecordedRun {
  readonly runId: string
  readonly steps: readonly StepRecord[]
}

export function noTurnLeft({ runId, steps }: RecordedRun): TurnReplayError {
  const place = { runId, position: steps.length, available: steps.length }
  const message = `no turn is left at position ${steps.length} of run ${quoted(runId)}, which has ${counted(steps.length)}`
  const hint = 'The agent asks the model more often than in the recording, or the name of the run is another.'
  return new TurnReplayError('missing-step', message, place, hint)
}

export function faultyStep(run: RecordedRun, position: number, fault: StepFault): TurnReplayError {
  const hint =
    fault.kind === 'no-inference' ? 'Pass { skipToolOnly: true } to go on with the next turn.' : null
  return at(run, position, fault.kind, fault.message, hint)
}

export function otherRequest(run: RecordedRun, mismatch: TurnMismatch): TurnReplayError {
  const { part, recorded, actual, position } = mismatch
  const what = part === 'prompt' ? 'the prompt is' : 'the settings, the tools or the model are'
  const message = `${what} not as recorded (hash ${actual}, recorded ${recorded})`
  const hint = "Record the turn again, or pass { onMismatch: 'warn' } to be served nevertheless."
  return at(run, position, 'mismatch', message, hint)
}

export function unrecordedTool(
  run: RecordedRun,
  position: number | null,
  tool: string,
  isCompared: boolean,
): TurnReplayError {
  const which = isCompared ? 'recorded call with these arguments' : 'recorded call'
  const message = `the tool ${quoted(tool)} was not run: no ${which} is left for it`
  const hint = 'A tool that may run again in a replay needs no wrapping.'
  if (position !== null) return at(run, position, 'unrecorded-tool', message, hint)
  const place = { runId: run.runId, available: run.steps.length }
  return new TurnReplayError(
    'unrecorded-tool',
    `run ${quoted(run.runId)}, before its first turn: ${message}`,
    place,
    hint,
  )
}

export function turnNotAsked(run: RecordedRun, position: number): TurnReplayError {
  return at(run, position, 'not-asked', 'the agent ended without asking for this turn', null)
}

export function toolNotAsked(run: RecordedRun, position: number, tool: string): TurnReplayError {
  return at(run, position, 'not-asked', `the recorded call of the tool ${quoted(tool)} was not made`, null)
}

function at(
  { runId, steps }: RecordedRun,
  position: number,
  kind: TurnReplayError['kind'],
  message: string,
  hint: string | null,
): TurnReplayError {
  const superStep = steps[position]!.key.super_step
  const place = { runId, position, superStep, available: steps.length }
  const where = `run ${quoted(runId)}, super-step ${superStep} (position ${position} of ${steps.length})`
  return new TurnReplayError(kind, `${where}: ${message}`, place, hint)
}

function counted(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`
}

function quoted(text: string): string {
  return JSON.stringify(text)
}
