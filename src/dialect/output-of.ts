import type { Json } from '../json/value.ts'
import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
export function outputOf(_read: ReadRequest, head: ExchangeHead, body: string | Uint8Array): Json {
  return { status: head.status, body: String(body) }
}
