import type { Mark } from './json/mark.ts'
import { revive } from './json/revive.ts'
import type { Json } from './json/value.ts'

/** The run's input as the agent gets it; the plain one stays as it is. */
export function revivedInput(input: Json, marks: readonly Mark[] | undefined): unknown {
  return marks === undefined ? input : revive(structuredClone(input) as Json, marks)
}
