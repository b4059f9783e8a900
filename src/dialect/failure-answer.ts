import type { Exchange, ReadRequest } from '../trace/exchange.ts'
import type { RecordedError } from '../trace/journal.ts'
export function failureAnswerOf(_read: ReadRequest, _error: RecordedError): Exchange | null {
  return null
}
