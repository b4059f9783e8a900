import type { RecordedError } from '../json/error-record.ts'

/** The error that a recorded failure is thrown as: same name and message, and its own members. */
export function recordedFailure({ name, message, members = {}, hidden = [] }: RecordedError): Error {
  const error = new Error(message)
  define(error, 'name', name, false)
  for (const [key, value] of Object.entries(members)) define(error, key, value, !hidden.includes(key))
  return error
}

function define(error: Error, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(error, key, { value, enumerable, writable: true, configurable: true })
}
