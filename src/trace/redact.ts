import { canonicalValue } from '../json/canonical-value.ts'
import { codePointOrder } from '../json/code-point-order.ts'
import { pointer } from '../json/pointer.ts'
import { isJsonObject, type Json, type JsonObject, setMember } from '../json/value.ts'
import { compatibleProfile } from './compatible-profile.ts'
import { REDACTED, redactText } from './redact-text.ts'
import type { RedactionProfile, SecretPattern } from './redaction-profile.ts'

/** A place at which a secret stood; holds nothing of it. */
export interface Finding {
  /** JSON Pointer into the redacted value. */
  readonly path: string
  readonly reason: 'sensitive_key' | 'credential_pattern'
  /** Which secrets the placeholders of the text there stand for, in their order; null where one stood before. */
  readonly secrets?: readonly (SecretMark | null)[]
}

/** A secret without anything of it. */
export interface SecretMark {
  /** The same for the same secret of a run. */
  readonly number: number
  /** Environment variables that held it. */
  readonly env?: readonly string[] | undefined
}

export interface Redaction {
  /** The very value that was given when nothing was found. Members keep their order. */
  readonly value: Json
  /** Depth first, members by code point, as the Python implementation lists them. */
  readonly findings: readonly Finding[]
}

/** A finding with the secrets themselves: never to be written. */
export interface OpenFinding extends Pick<Finding, 'path' | 'reason'> {
  /** What the placeholders of the text there stand for, in their order; null where one stood before. */
  readonly secrets: readonly (string | null)[]
  readonly kinds: readonly string[]
}

export interface OpenRedaction {
  readonly value: Json
  readonly findings: readonly OpenFinding[]
}

/**
 * Replaces secrets by `[REDACTED]`: the whole value under a sensitive name, and the span of a credential inside a
 * string. Redacting twice changes nothing. Does not change the value given.
 */
export function redact(value: Json, profile: RedactionProfile = compatibleProfile): Redaction {
  const { value: redacted, findings } = redactOpenly(value, profile)
  return { value: redacted, findings: findings.map(({ path, reason }) => ({ path, reason })) }
}

/** As `redact`, and tells what was hidden. `known`: secrets that are known by their value. */
export function redactOpenly(
  value: Json,
  profile: RedactionProfile,
  known: SecretPattern | null = null,
): OpenRedaction {
  const walk: Walk = { profile, known, parts: [], found: [] }
  const redacted = redactValue(value, walk)
  walk.found.sort((left, right) => placeOrder(left.parts, right.parts))
  const findings = walk.found.map(({ parts, ...found }) => ({ path: pointer(parts), ...found }))
  return { value: redacted, findings }
}

interface Found extends Omit<OpenFinding, 'path'> {
  readonly parts: readonly (string | number)[]
}

interface Walk {
  readonly profile: RedactionProfile
  readonly known: SecretPattern | null
  /** Where the walk stands. */
  readonly parts: (string | number)[]
  readonly found: Found[]
}

function redactValue(value: Json, walk: Walk): Json {
  if (typeof value === 'string') return redactString(value, walk)
  if (Array.isArray(value)) return redactItems(value, walk)
  return isJsonObject(value) ? redactMembers(value, walk) : value
}

function redactString(text: string, walk: Walk): string {
  const redacted = redactText(text, walk.profile, walk.known)
  if (redacted === null) return text
  const { secrets, kinds } = redacted
  walk.found.push({ parts: [...walk.parts], reason: 'credential_pattern', secrets, kinds })
  return redacted.text
}

function redactItems(items: readonly Json[], walk: Walk): readonly Json[] {
  let copy: Json[] | null = null
  const named = walk.profile.looksAround ? namesBeside(items) : null
  for (let at = 0; at < items.length; at++) {
    walk.parts.push(at)
    const name = named?.[at] ?? null
    const item =
      name === null ? redactValue(items[at]!, walk) : redactMember(name, items[at]!, NO_HOLDER, walk)
    walk.parts.pop()
    if (item === items[at]) continue
    copy ??= [...items]
    copy[at] = item
  }
  return copy ?? items
}

const NO_HOLDER: JsonObject = {}

/** The names of items that stand behind their name: the second of two headers' fields, the argument of an option. */
function namesBeside(items: readonly Json[]): (string | null)[] | null {
  let names: (string | null)[] | null = null
  for (let at = 1; at < items.length; at++) {
    const [name, value] = [items[at - 1], items[at]]
    if (typeof name !== 'string' || typeof value !== 'string') continue
    const isOption = /^--?[A-Za-z][\w-]{1,60}$/.test(name) && !value.startsWith('-')
    const isField = items.length === 2 && /^[A-Za-z][\w-]*-[\w-]+$|^(?:authorization|cookie)$/i.test(name)
    if (!isOption && !isField) continue
    names ??= items.map(() => null)
    names[at] = name
  }
  return names
}

function redactMembers(object: JsonObject, walk: Walk): JsonObject {
  const changed = new Map<string, Changed>()
  let fresh: ((text: string) => string) | null = null
  const nameOf = (text: string): string => {
    fresh ??= freshNames(object)
    return fresh(text)
  }
  const beside = walk.profile.looksAround ? nameBeside(object) : null
  for (const name of Object.keys(object)) {
    const shown = walk.profile.looksAround ? redactName(name, nameOf, walk) : name
    walk.parts.push(shown)
    const meant = beside !== null && VALUES.has(name) ? beside : shown
    const value = redactMember(meant, object[name]!, object, walk)
    walk.parts.pop()
    if (value !== object[name] || shown !== name) changed.set(name, { name: shown, value })
  }
  return changed.size === 0 ? object : withMembers(object, changed)
}

interface Changed {
  readonly name: string
  readonly value: Json
}

/** A secret may be a name. */
function redactName(name: string, nameOf: (text: string) => string, walk: Walk): string {
  const redacted = redactText(name, walk.profile, walk.known)
  if (redacted === null) return name
  const shown = nameOf(redacted.text)
  const { kinds } = redacted
  walk.found.push({ parts: [...walk.parts, shown], reason: 'credential_pattern', secrets: [], kinds })
  return shown
}

/** Two secrets that are names must not become the same member: `[REDACTED]`, `2 [REDACTED]`. */
function freshNames(object: JsonObject): (text: string) => string {
  const given = new Set<string>()
  const numbers = new Map<string, number>()
  return text => {
    let number = numbers.get(text) ?? 1
    const shown = (): string => (number === 1 ? text : `${number} ${text}`)
    while (given.has(shown()) || Object.hasOwn(object, shown())) number++
    given.add(shown())
    numbers.set(text, number)
    return shown()
  }
}

/** What `{"name": "x-api-key", "value": "…"}` and a change of state, `{"key": …, "before": …, "after": …}`, name. */
function nameBeside(object: JsonObject): string | null {
  const { name = object.key } = object
  return typeof name === 'string' && /^[A-Za-z][\w.-]{1,63}$/.test(name) ? name : null
}

const VALUES: ReadonlySet<string> = new Set(['value', 'before', 'after'])

function redactMember(name: string, value: Json, holder: JsonObject, walk: Walk): Json {
  const { isSecretMember } = walk.profile
  if (!isSecretMember(name, value, holder)) {
    const before = walk.found.length
    const redacted = redactValue(value, walk)
    // What is left of a text may be one word, and so the secret that its name tells of.
    if (redacted === value || !isSecretMember(name, redacted, holder)) return redacted
    walk.found.length = before
  }
  if (value !== REDACTED) report(value, walk)
  return REDACTED
}

function report(value: Json, walk: Walk): void {
  const kinds = ['value under the name of a secret']
  walk.found.push({ parts: [...walk.parts], reason: 'sensitive_key', secrets: [secretIn(value)], kinds })
}

/** What says that there is none may change, or be the same in many places, and means nothing. */
function secretIn(value: Json): string | null {
  if (value === null || typeof value === 'boolean' || value === '') return null
  return typeof value === 'string' ? value : canonicalValue(value)
}

function withMembers(object: JsonObject, changed: ReadonlyMap<string, Changed>): JsonObject {
  const copy: Record<string, Json> = {}
  for (const name of Object.keys(object)) {
    const { name: shown, value } = changed.get(name) ?? { name, value: object[name]! }
    setMember(copy, shown, value)
  }
  return copy
}

function placeOrder(left: Found['parts'], right: Found['parts']): number {
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [a, b] = [left[at]!, right[at]!]
    if (a === b) continue
    return typeof a === 'number' && typeof b === 'number' ? a - b : codePointOrder(String(a), String(b))
  }
  return left.length - right.length
}
