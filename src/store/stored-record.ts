/** What is read back from a step store, whatever it is kept in; `place` says where it stands, for the error. */
import { isStepforkError, StepforkError } from '../errors.ts'
import { parseStepRecord } from '../turns/read-record.ts'
import type { StepRecord } from '../turns/step-record.ts'

/** Raises STEP_RECORD_INVALID. */
export function parseStored(place: string, text: string): StepRecord {
  try {
    return parseStepRecord(text)
  } catch (error) {
    if (isStepforkError(error)) throw invalidRecord(place, error.message, error)
    throw error
  }
}

export function invalidRecord(place: string, fault: string, cause?: unknown): StepforkError {
  return new StepforkError('STEP_RECORD_INVALID', `${place}: ${fault}`, null, { cause })
}
