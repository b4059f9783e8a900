/** Errors as they are recorded, and back: name, class, message, own JSON members with their enumerability, and causes. */
import { types } from 'node:util'
import { snapshot } from '../json/snapshot.ts'
import { type Json, setMember } from '../json/value.ts'
import type { RecordedError } from '../trace/journal.ts'
import type { ErrorClass } from './slot.ts'

// A map, so that an error named `constructor` finds none.
const BUILT_IN: ReadonlyMap<string, ErrorClass> = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map(
    built => [built.name, built as ErrorClass],
  ),
)

/** How deep a chain of causes is kept. */
const DEEPEST_CAUSE = 8

export function recordError(thrown: unknown, depth = 0): RecordedError {
  if (!isError(thrown)) return { name: 'Error', message: textOf(thrown), thrown: jsonOrText(thrown) }
  const name = String(thrown.name || 'Error')
  const className = thrown.constructor?.name
  return {
    name,
    ...(typeof className === 'string' && !['', 'Error', name].includes(className) && { class: className }),
    message: String(thrown.message),
    ...membersOf(thrown),
    ...(depth < DEEPEST_CAUSE && errorsBelow(thrown, depth + 1)),
  }
}

/** An error that the agent's handlers take for the recorded one: same name and message, the class if it is known. */
export function reviveError(recorded: RecordedError, classes: readonly ErrorClass[]): unknown {
  if (recorded.thrown !== undefined) return recorded.thrown
  const error = bareError(recorded, classes)
  const isShown = (key: string): boolean => recorded.shown?.includes(key) ?? false
  if (error.name !== recorded.name || isShown('name')) define(error, 'name', recorded.name, isShown('name'))
  if (isShown('message')) define(error, 'message', recorded.message, true)
  for (const [key, value] of Object.entries(recorded.members ?? {})) {
    define(error, key, value, !(recorded.hidden?.includes(key) ?? false))
  }
  // The first line of the stack has the name.
  if (!(error instanceof DOMException)) Error.captureStackTrace(error, reviveError)
  const revived = (below: RecordedError): unknown => reviveError(below, classes)
  if (recorded.cause !== undefined) define(error, 'cause', revived(recorded.cause), isShown('cause'))
  if (recorded.errors !== undefined) define(error, 'errors', recorded.errors.map(revived), isShown('errors'))
  return error
}

/** Errors of another realm (a `vm` context, as test runners use them) are no instances of this one's Error. */
function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value)
}

function membersOf(error: Error): Pick<RecordedError, 'members' | 'hidden' | 'shown'> {
  const isShown = (key: string): boolean => Object.prototype.propertyIsEnumerable.call(error, key)
  const members: { [key: string]: Json } = {}
  for (const key of Object.getOwnPropertyNames(error)) {
    if (!isKeptApart(error, key)) addMember(members, key, error as unknown as { [key: string]: unknown })
  }
  const hidden = Object.keys(members).filter(key => !isShown(key))
  const shown = ['name', 'message', 'cause', 'errors'].filter(key => isKeptApart(error, key) && isShown(key))
  return {
    ...(Object.keys(members).length > 0 && { members }),
    ...(hidden.length > 0 && { hidden }),
    ...(shown.length > 0 && { shown }),
  }
}

/** What has a place of its own in the record; a cause that is no error is a member like any other. */
function isKeptApart(error: Error, key: string): boolean {
  if (key === 'cause') return isError(error.cause)
  if (key === 'errors') return errorsIn(error) !== null
  return key === 'name' || key === 'message' || key === 'stack'
}

function errorsBelow(error: Error, depth: number): Pick<RecordedError, 'cause' | 'errors'> {
  const errors = errorsIn(error)
  return {
    ...(isError(error.cause) && { cause: recordError(error.cause, depth) }),
    ...(errors !== null && { errors: errors.map(one => recordError(one, depth)) }),
  }
}

/** Those of an AggregateError: Node's own, when no address of a host answers, and `Promise.any`. */
function errorsIn(error: Error): readonly Error[] | null {
  const { errors } = error as { errors?: unknown }
  return Array.isArray(errors) && errors.length > 0 && errors.every(isError) ? errors : null
}

/** An instance of its class; the constructor, which may do anything, is not called. */
function bareError(
  { name, class: className = name, message }: RecordedError,
  classes: readonly ErrorClass[],
): Error {
  if (className === 'DOMException') return new DOMException(message, name)
  const given = classes.find(one => one.name === className) ?? classes.find(one => one.name === name)
  const known = given ?? BUILT_IN.get(className) ?? BUILT_IN.get(name) ?? Error
  return Object.setPrototypeOf(new Error(message), known.prototype) as Error
}

function addMember(
  members: { [key: string]: Json },
  key: string,
  error: { readonly [key: string]: unknown },
): void {
  try {
    if (error[key] !== undefined) setMember(members, key, snapshot(error[key]))
  } catch {
    // A member that is no JSON (a socket, a request) is not part of the recording.
  }
}

function jsonOrText(thrown: unknown): Json {
  try {
    return snapshot(thrown)
  } catch {
    return textOf(thrown)
  }
}

/** An object without prototype has no text. */
function textOf(thrown: unknown): string {
  try {
    return String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}
