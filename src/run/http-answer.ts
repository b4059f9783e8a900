import type { Exchange, ExchangeChunk, HttpAnswer } from '../trace/exchange.ts'

/** An answer that is there as a whole. */
export function httpAnswer({ head, chunks }: Exchange): HttpAnswer {
  return { head, body: chunks.length === 0 ? null : Buffer.concat(chunks.map(bytesOf)) }
}

export function bytesOf(chunk: ExchangeChunk): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64')
}
