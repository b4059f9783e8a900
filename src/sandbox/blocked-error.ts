import type { BlockedError } from './refuse.ts'

export function blockedError(message: string, name = 'Error'): BlockedError {
  const error = Object.assign(new Error(message), { code: 'ERR_STEPFORK_BLOCKED' as const })
  if (name !== 'Error')
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true })
  return error
}
