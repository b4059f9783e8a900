import type { RecordedError } from './error-record.ts'

// biome-ignore lint/suspicious/noExplicitAny: any constructor will do, whatever its parameters
export type ErrorClass = abstract new (...args: any[]) => Error

// A map, so that an error named `constructor` finds none.
const BUILT_IN: ReadonlyMap<string, ErrorClass> = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError, AggregateError].map(
    built => [built.name, built as ErrorClass],
  ),
)

/** An error that the agent's handlers take for the recorded one: same name and message, the class if it is known. */
export function rebuildError(recorded: RecordedError, classes: readonly ErrorClass[]): Error {
  const error = bareError(recorded, classes)
  const isShown = (key: string): boolean => recorded.shown?.includes(key) ?? false
  if (error.name !== recorded.name || isShown('name')) define(error, 'name', recorded.name, isShown('name'))
  if (isShown('message')) define(error, 'message', recorded.message, true)
  for (const [key, value] of Object.entries(recorded.members ?? {})) {
    define(error, key, value, !(recorded.hidden?.includes(key) ?? false))
  }
  // The first line of the stack has the name.
  if (!(error instanceof DOMException)) Error.captureStackTrace(error, rebuildError)
  const rebuilt = (below: RecordedError): Error => rebuildError(below, classes)
  if (recorded.cause !== undefined) define(error, 'cause', rebuilt(recorded.cause), isShown('cause'))
  if (recorded.errors !== undefined) define(error, 'errors', recorded.errors.map(rebuilt), isShown('errors'))
  return error
}

/** Comes back as an instance of its class. */
export function isBuiltInError(className: string): boolean {
  return BUILT_IN.has(className) || className === 'DOMException'
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

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}
