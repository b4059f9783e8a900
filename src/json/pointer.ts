import { StepforkError } from '../errors.ts'
import type { Json } from './value.ts'

/** A JSON Pointer (RFC 6901) from member names and list indexes; no parts give '', the whole value. */
export function pointer(parts: readonly (string | number)[]): string {
  return parts.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** The parts of a JSON Pointer. Raises USAGE for a text that is none. */
export function parsePointer(text: string): string[] {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) {
    throw new StepforkError(
      'USAGE',
      `"${text}" is not a JSON Pointer`,
      'It begins with "/", as in /items/0/price; "~" in a name is written ~0 and "/" is written ~1.',
    )
  }
  return text
    .slice(1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a JSON Pointer, or undefined when there is none. */
export function valueAt(value: Json, path: string): Json | undefined {
  return parsePointer(path).reduce<Json | undefined>(step, value)
}

function step(value: Json | undefined, part: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined
  return Object.hasOwn(value, part) ? (value as { readonly [key: string]: Json })[part] : undefined
}
