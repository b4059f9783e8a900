import type { Json } from '../json/value.ts'
import type { ReadRequest } from '../trace/exchange.ts'
import { ERROR_CLASSES } from './error-classes.ts'

/** An error as the provider words it, so that its SDK finds the message. */
export function errorBody(read: ReadRequest, status: number, message: string, code: string | null): Json {
  const type = ERROR_CLASSES.find(one => one.status === status)?.type ?? 'api_error'
  switch (read.target.kind === 'llm' ? read.target.provider : null) {
    case 'anthropic':
      return { type: 'error', error: { type, message } }
    case 'google':
      return { error: { code: status, message, status: status === 400 ? 'INVALID_ARGUMENT' : 'UNKNOWN' } }
    case 'openai':
      return { error: { message, type, param: null, code } }
    default:
      return { error: message }
  }
}
