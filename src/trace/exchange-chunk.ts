import { isUtf8 } from 'node:buffer'
import type { ExchangeChunk } from './exchange.ts'

/** A part of a body as it is kept: its text when it is UTF-8, else its bytes. */
export function chunkOf(part: Uint8Array): ExchangeChunk {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  return isUtf8(bytes) ? bytes.toString('utf8') : { base64: bytes.toString('base64') }
}

export function bytesOf(chunk: ExchangeChunk): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.base64, 'base64')
}
