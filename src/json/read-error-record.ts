/** The record of an error out of a bundle, which may come from anyone: only members of the shape that we write are taken. */
import type { RecordedError } from './error-record.ts'
import { isJsonObject, type Json, type JsonObject } from './value.ts'

export type ErrorDetails = Omit<RecordedError, 'name' | 'message' | 'marks'>

/** Deeper chains of causes are cut off; our recorder keeps no more than eight. */
const DEEPEST = 16

/** Null when it is none. */
export function readErrorRecord(value: Json | undefined, depth = 0): RecordedError | null {
  if (!isJsonObject(value) || depth >= DEEPEST) return null
  const { name, message } = value
  if (typeof name !== 'string' || typeof message !== 'string') return null
  return { name, message, ...readErrorDetails(value, depth + 1) }
}

export function readErrorDetails(
  { thrown, members, hidden, shown, cause, errors, class: className }: JsonObject,
  depth = 0,
): ErrorDetails {
  const causeError = readErrorRecord(cause, depth)
  return {
    ...(typeof className === 'string' && { class: className }),
    ...(thrown !== undefined && { thrown }),
    ...(isJsonObject(members) && { members }),
    ...(isListOf(hidden, isText) && { hidden }),
    ...(isListOf(shown, isText) && { shown }),
    ...(causeError !== null && { cause: causeError }),
    ...(Array.isArray(errors) && { errors: errors.flatMap(error => readErrorRecord(error, depth) ?? []) }),
  }
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
