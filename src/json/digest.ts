import { hash } from 'node:crypto'

/** SHA-256 over bytes, or over the UTF-8 bytes of a canonical text: 64 lower-case hex digits. */
export function digest(content: string | Uint8Array): string {
  return hash('sha256', content)
}
