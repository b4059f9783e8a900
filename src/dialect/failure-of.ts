import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
import type { RecordedError } from '../trace/journal.ts'
export function failureOf(
  _read: ReadRequest,
  _head: ExchangeHead,
  _body: string | Uint8Array,
): RecordedError | null {
  return null
}
