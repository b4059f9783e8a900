/** What our recorder keeps of an error in the `details` of its event, below `stepfork` (docs/format.md). */
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'
import type { RecordedError } from '../trace/journal.ts'

export type ErrorDetails = Omit<RecordedError, 'name' | 'message'>

/** Deeper chains of causes are cut off; our recorder keeps no more than eight. */
const DEEPEST = 16

/**
 * Only members of the shape that we write are taken: they are put on an error in the agent's process, and a bundle may come
 * from anyone. The details of other writers give nothing.
 */
export function errorDetails(details: Json): ErrorDetails {
  return isJsonObject(details) && isJsonObject(details.stepfork) ? detailsOf(details.stepfork, 0) : {}
}

function detailsOf(
  { thrown, members, hidden, shown, cause, errors, class: className }: JsonObject,
  depth: number,
): ErrorDetails {
  const causeError = errorOf(cause, depth)
  return {
    ...(typeof className === 'string' && { class: className }),
    ...(thrown !== undefined && { thrown }),
    ...(isJsonObject(members) && { members }),
    ...(isListOf(hidden, isText) && { hidden }),
    ...(isListOf(shown, isText) && { shown }),
    ...(causeError !== null && { cause: causeError }),
    ...(Array.isArray(errors) && { errors: errors.flatMap(error => errorOf(error, depth) ?? []) }),
  }
}

function errorOf(value: Json | undefined, depth: number): RecordedError | null {
  if (!isJsonObject(value) || depth >= DEEPEST) return null
  const { name, message } = value
  if (typeof name !== 'string' || typeof message !== 'string') return null
  return { name, message, ...detailsOf(value, depth + 1) }
}

function isListOf<T extends Json>(
  value: Json | undefined,
  isItem: (item: Json) => item is T,
): value is readonly T[] {
  return Array.isArray(value) && value.every(isItem)
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}
