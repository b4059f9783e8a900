import { hash } from 'node:crypto'

/** SHA-256 over the UTF-8 bytes of a canonical text: 64 lower-case hex digits. */
export function digest(canonical: string): string {
  return hash('sha256', canonical)
}
