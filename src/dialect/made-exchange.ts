/** Answers that no server sent. Their bytes are plain, so they are those of the `fetch` layer. */
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Exchange, ExchangeChunk, Header } from '../trace/exchange.ts'

export function madeExchange(
  status: number,
  headers: readonly Header[],
  chunks: readonly ExchangeChunk[],
): Exchange {
  return { layer: 'fetch', head: { status, statusText: '', headers }, chunks }
}

export function jsonExchange(status: number, body: Json, headers: readonly Header[] = []): Exchange {
  return madeExchange(status, [['content-type', 'application/json'], ...headers], [writeJson(body)])
}
