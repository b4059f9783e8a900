import type { Exchange, HttpAnswer } from '../trace/exchange.ts'
import { bytesOf } from '../trace/exchange-chunk.ts'

/** An answer that is there as a whole. */
export function httpAnswer({ head, chunks }: Exchange): HttpAnswer {
  return { head, body: chunks.length === 0 ? null : Buffer.concat(chunks.map(bytesOf)) }
}
