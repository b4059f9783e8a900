/** Both sides in the form in which they are compared: with what JSON lacks, where the recording tells of it. */
import type { Mark } from '../json/mark.ts'
import { marked } from '../json/marked.ts'
import type { Json } from '../json/value.ts'
import type { PlannedCall } from '../plan/plan.ts'
import type { DeliveredFact, MadeFact } from '../trace/journal.ts'
import type { Evidence } from './evidence.ts'

export function comparedInput(evidence: Evidence, call: PlannedCall): Json {
  return compared(evidence, evidence.recordedInput(call), call.inputMarks)
}

export function comparedLiveInput(evidence: Evidence, { input = null, marks }: MadeFact): Json {
  return compared(evidence, input, marks)
}

export function comparedResult(evidence: Evidence, call: PlannedCall): Json {
  return compared(evidence, evidence.recordedResult(call), call.resultMarks)
}

export function comparedLiveResult(evidence: Evidence, { value = null, marks }: DeliveredFact): Json {
  return compared(evidence, value, marks)
}

export function compared({ plan }: Evidence, value: Json, marks: readonly Mark[] | undefined): Json {
  return plan.keepsValues ? marked(value, marks) : value
}
