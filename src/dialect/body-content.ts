import { digest } from '../json/digest.ts'
import { jsonInText } from '../json/parse-json.ts'
import type { JsonObject } from '../json/value.ts'

/**
 * A body as it is recorded: `body` is JSON (objects and lists; anything else is rather text) or text, `base64` are bytes,
 * and of a large body only length and digest are kept. Members of their own, so that no JSON body is taken for bytes.
 */
export function bodyContent(body: Uint8Array | string | null): JsonObject {
  if (body === null || body.length === 0) return {}
  // A character is at most three bytes, so that nearly no text is encoded for this.
  if (body.length * 3 > MOST_TEXT && encoded(body).length > MOST_TEXT) return sizeAndDigest(encoded(body))
  const text = textOf(body)
  return text === null ? bytesContent(body as Uint8Array) : { body: jsonInText(text) ?? text }
}

/** An event is one line that is read whole; the bytes themselves are in the recorded exchange. */
const MOST_TEXT = 16 * 1024 * 1024
const MOST_BYTES = 1024 * 1024

export function bytesContent(bytes: Uint8Array): JsonObject {
  return bytes.length > MOST_BYTES ? sizeAndDigest(bytes) : { base64: base64Of(bytes) }
}

function encoded(body: Uint8Array | string): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

function sizeAndDigest(bytes: Uint8Array): JsonObject {
  return { sha256: digest(bytes), bytes: bytes.length }
}

const strict = new TextDecoder('utf-8', { fatal: true })

/** The text of a body; null when it is not UTF-8. */
export function textOf(body: Uint8Array | string): string | null {
  if (typeof body === 'string') return body
  try {
    return strict.decode(body)
  } catch {
    return null
  }
}

function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x2000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x2000))
  }
  return btoa(binary)
}
