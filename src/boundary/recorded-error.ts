/** Errors as they are recorded, and back: name, message, own JSON members with their enumerability, and causes. */
import { snapshot } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'
import type { RecordedError } from '../trace/journal.ts'
import type { ErrorClass } from './slot.ts'

const BUILT_IN: { readonly [name: string]: ErrorClass } = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

/** How deep a chain of causes is kept. */
const DEEPEST_CAUSE = 8

export function recordError(thrown: unknown, depth = 0): RecordedError {
  if (!(thrown instanceof Error))
    return { name: 'Error', message: String(thrown), thrown: jsonOrText(thrown) }
  const keys = Object.getOwnPropertyNames(thrown).filter(
    key => !['name', 'message', 'stack', 'cause'].includes(key),
  )
  const members: { [key: string]: Json } = {}
  for (const key of keys) addMember(members, key, (thrown as unknown as { [key: string]: unknown })[key])
  const isShown = (key: string): boolean => Object.prototype.propertyIsEnumerable.call(thrown, key)
  const hidden = Object.keys(members).filter(key => !isShown(key))
  const shown = ['name', 'message', 'cause'].filter(isShown)
  return {
    name: String(thrown.name || 'Error'),
    message: String(thrown.message),
    ...(Object.keys(members).length > 0 && { members }),
    ...(hidden.length > 0 && { hidden }),
    ...(shown.length > 0 && { shown }),
    ...(thrown.cause instanceof Error &&
      depth < DEEPEST_CAUSE && { cause: recordError(thrown.cause, depth + 1) }),
  }
}

/** An error that the agent's handlers take for the recorded one: same name and message, the class if it is known. */
export function reviveError(recorded: RecordedError, classes: readonly ErrorClass[]): unknown {
  if (recorded.thrown !== undefined) return recorded.thrown
  const known =
    classes.find(candidate => candidate.name === recorded.name) ?? BUILT_IN[recorded.name] ?? Error
  const error = new Error(recorded.message)
  Object.setPrototypeOf(error, known.prototype)
  const isShown = (key: string): boolean => recorded.shown?.includes(key) ?? false
  if (error.name !== recorded.name || isShown('name')) define(error, 'name', recorded.name, isShown('name'))
  if (isShown('message')) define(error, 'message', recorded.message, true)
  for (const [key, value] of Object.entries(recorded.members ?? {})) {
    define(error, key, value, !(recorded.hidden?.includes(key) ?? false))
  }
  if (recorded.cause !== undefined)
    define(error, 'cause', reviveError(recorded.cause, classes), isShown('cause'))
  return error
}

function addMember(members: { [key: string]: Json }, key: string, value: unknown): void {
  try {
    if (value !== undefined) members[key] = snapshot(value)
  } catch {
    // A member that is no JSON (a socket, a request) is not part of the recording.
  }
}

function jsonOrText(thrown: unknown): Json {
  try {
    return snapshot(thrown)
  } catch {
    return String(thrown)
  }
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}
