import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { safeJson } from './safe-text.ts'

/** A JSON text on one line, with nothing in it that a terminal or a CI log would obey. */
export function jsonDocument(value: Json): string {
  return `${safeJson(writeJson(value), { unicode: true })}\n`
}
