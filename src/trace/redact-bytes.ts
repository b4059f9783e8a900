import { isBytesKind, type Mark } from '../json/mark.ts'
import { valueAt } from '../json/pointer.ts'
import { isJsonObject, type Json, setMember } from '../json/value.ts'
import type { Redactor } from './redactor.ts'

/**
 * Bytes are written in base64, which hides what they say: where they are a text, its secrets are replaced before. Changes
 * `value`, a copy of our own, in place, and gives what became of it.
 */
export function redactBytes(value: Json, marks: readonly Mark[], redactor: Redactor): Json {
  return marks.reduce((whole, { path, is }) => {
    if (!isBytesKind(is)) return whole
    const base64 = valueAt(whole, path)
    const redacted = typeof base64 === 'string' ? redactedBytes(base64, redactor) : null
    return redacted === null ? whole : withValueAt(whole, path, redacted)
  }, value)
}

/** Null when there is nothing to hide. */
function redactedBytes(base64: string, redactor: Redactor): string | null {
  const bytes = Buffer.from(base64, 'base64')
  const text = bytes.toString('utf8')
  const { value, findings } = redactor.redact(text)
  // Bytes that are no text would not survive being read as one.
  if (findings.length === 0 || !Buffer.from(text).equals(bytes)) return null
  return Buffer.from(value as string).toString('base64')
}

function withValueAt(whole: Json, path: string, value: Json): Json {
  if (path === '') return value
  const end = path.lastIndexOf('/')
  const holder = valueAt(whole, path.slice(0, end)) as unknown
  const key = path
    .slice(end + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  if (Array.isArray(holder)) holder[Number(key)] = value
  else if (isJsonObject(holder)) setMember(holder as Record<string, Json>, key, value)
  return whole
}
