/** A thrown value, or an error among other values, as data: name, message, own members with their enumerability, and causes. */
import { classOf, isError } from './kind-of.ts'
import type { Mark } from './mark.ts'
import { type Json, setMember } from './value.ts'

export interface RecordedError {
  readonly name: string
  /** Name of its class where that is another: many classes keep the name `Error`. */
  readonly class?: string
  readonly message: string
  /** Own members (`code`, `status` …) with their values. */
  readonly members?: { readonly [key: string]: Json }
  /** Names of those members that are not enumerable. */
  readonly hidden?: readonly string[]
  /** Of `name`, `message` and `cause` those that are enumerable: a class field `name = …` is. */
  readonly shown?: readonly string[]
  readonly cause?: RecordedError
  /** Those of an AggregateError. */
  readonly errors?: readonly RecordedError[]
  /** What was thrown, when it was no Error. */
  readonly thrown?: Json
  /** What in it JSON lacks; paths are from the record. */
  readonly marks?: readonly Mark[]
}

/** How deep a chain of causes is kept. */
const DEEPEST_CAUSE = 8

/** A copy of a member's value, which stands at `path` of the record; undefined when it cannot be kept. */
export type KeepMember = (value: unknown, path: readonly (string | number)[]) => Json | undefined

export function errorRecord(
  error: Error,
  keep: KeepMember,
  path: readonly (string | number)[] = [],
  depth = 0,
): RecordedError {
  const name = String(error.name || 'Error')
  const className = classOf(error)
  return {
    name,
    ...(!['', 'Error', name].includes(className) && { class: className }),
    message: String(error.message),
    ...membersOf(error, keep, path),
    ...(depth < DEEPEST_CAUSE && errorsBelow(error, keep, path, depth + 1)),
  }
}

function membersOf(
  error: Error,
  keep: KeepMember,
  path: readonly (string | number)[],
): Pick<RecordedError, 'members' | 'hidden' | 'shown'> {
  const isShown = (key: string): boolean => Object.prototype.propertyIsEnumerable.call(error, key)
  const members: { [key: string]: Json } = {}
  for (const key of Object.getOwnPropertyNames(error)) {
    const value = isKeptApart(error, key) ? undefined : memberOf(error, key)
    const kept = value === undefined ? undefined : keep(value, [...path, 'members', key])
    if (kept !== undefined) setMember(members, key, kept)
  }
  const hidden = Object.keys(members).filter(key => !isShown(key))
  const shown = ['name', 'message', 'cause', 'errors'].filter(key => isKeptApart(error, key) && isShown(key))
  return {
    ...(Object.keys(members).length > 0 && { members }),
    ...(hidden.length > 0 && { hidden }),
    ...(shown.length > 0 && { shown }),
  }
}

/** A getter may throw. */
function memberOf(error: Error, key: string): unknown {
  try {
    return (error as unknown as { [key: string]: unknown })[key]
  } catch {
    return undefined
  }
}

/** What has a place of its own in the record; a cause that is no error is a member like any other. */
function isKeptApart(error: Error, key: string): boolean {
  if (key === 'cause') return isError(error.cause)
  if (key === 'errors') return errorsIn(error) !== null
  return key === 'name' || key === 'message' || key === 'stack'
}

function errorsBelow(
  error: Error,
  keep: KeepMember,
  path: readonly (string | number)[],
  depth: number,
): Pick<RecordedError, 'cause' | 'errors'> {
  const errors = errorsIn(error)
  return {
    ...(isError(error.cause) && { cause: errorRecord(error.cause, keep, [...path, 'cause'], depth) }),
    ...(errors !== null && {
      errors: errors.map((one, at) => errorRecord(one, keep, [...path, 'errors', at], depth)),
    }),
  }
}

/** Those of an AggregateError: Node's own, when no address of a host answers, and `Promise.any`. */
function errorsIn(error: Error): readonly Error[] | null {
  const { errors } = error as { errors?: unknown }
  return Array.isArray(errors) && errors.length > 0 && errors.every(isError) ? errors : null
}
