import { codePointOrder } from '../json/code-point-order.ts'
import { pointer } from '../json/pointer.ts'
import { isJsonObject, type Json, type JsonObject, setMember } from '../json/value.ts'
import { compatibleProfile, type RedactionProfile } from './redaction-profile.ts'

export const REDACTED = '[REDACTED]'

/** A place at which a secret stood; holds nothing of it. */
export interface Finding {
  /** JSON Pointer into the redacted value. */
  readonly path: string
  readonly reason: 'sensitive_key' | 'credential_pattern'
}

export interface Redaction {
  /** The very value that was given when nothing was found. Members keep their order. */
  readonly value: Json
  /** Depth first, members by code point, as the Python implementation lists them. */
  readonly findings: readonly Finding[]
}

/**
 * Replaces secrets by `[REDACTED]`: the whole value under a sensitive name, and the span of a credential inside a
 * string. Redacting twice changes nothing. Does not change the value given.
 */
export function redact(value: Json, profile: RedactionProfile = compatibleProfile): Redaction {
  const found: Found[] = []
  const redacted = redactValue(value, { profile, parts: [], found })
  found.sort((left, right) => placeOrder(left.parts, right.parts))
  return { value: redacted, findings: found.map(({ parts, reason }) => ({ path: pointer(parts), reason })) }
}

interface Found {
  readonly parts: readonly (string | number)[]
  readonly reason: Finding['reason']
}

interface Walk {
  readonly profile: RedactionProfile
  /** Where the walk stands. */
  readonly parts: (string | number)[]
  readonly found: Found[]
}

function redactValue(value: Json, walk: Walk): Json {
  if (typeof value === 'string') return redactText(value, walk)
  if (Array.isArray(value)) return redactItems(value, walk)
  return isJsonObject(value) ? redactMembers(value, walk) : value
}

/** Shorter than the shortest credential there is. */
const SHORTEST = 11

function redactText(text: string, walk: Walk): string {
  if (text.length < SHORTEST || !walk.profile.hint.test(text)) return text
  const redacted = walk.profile.patterns.reduce((at, pattern) => at.replace(pattern, `$1${REDACTED}`), text)
  if (redacted !== text) report(walk, 'credential_pattern')
  return redacted
}

function redactItems(items: readonly Json[], walk: Walk): readonly Json[] {
  let copy: Json[] | null = null
  for (let at = 0; at < items.length; at++) {
    walk.parts.push(at)
    const item = redactValue(items[at]!, walk)
    walk.parts.pop()
    if (item === items[at]) continue
    copy ??= [...items]
    copy[at] = item
  }
  return copy ?? items
}

function redactMembers(object: JsonObject, walk: Walk): JsonObject {
  const changed = new Map<string, Json>()
  for (const name of Object.keys(object)) {
    walk.parts.push(name)
    const member = redactMember(name, object[name]!, walk)
    walk.parts.pop()
    if (member !== object[name]) changed.set(name, member)
  }
  return changed.size === 0 ? object : withMembers(object, changed)
}

function redactMember(name: string, value: Json, walk: Walk): Json {
  if (!isSensitive(name, walk.profile)) return redactValue(value, walk)
  if (value !== REDACTED) report(walk, 'sensitive_key')
  return REDACTED
}

function withMembers(object: JsonObject, changed: ReadonlyMap<string, Json>): JsonObject {
  const copy: Record<string, Json> = {}
  for (const name of Object.keys(object)) setMember(copy, name, changed.get(name) ?? object[name]!)
  return copy
}

function isSensitive(name: string, profile: RedactionProfile): boolean {
  // Most names are plain lower case words that differ from all sensitive ones already in length.
  if (name.length < 6) return false
  return profile.names.has(name) || profile.names.has(name.toLowerCase().replace(/[^a-z0-9]+/g, ''))
}

function report(walk: Walk, reason: Finding['reason']): void {
  walk.found.push({ parts: [...walk.parts], reason })
}

function placeOrder(left: Found['parts'], right: Found['parts']): number {
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [a, b] = [left[at]!, right[at]!]
    if (a === b) continue
    return typeof a === 'number' && typeof b === 'number' ? a - b : codePointOrder(String(a), String(b))
  }
  return left.length - right.length
}
