import { canonicalValue } from '../json/canonical-value.ts'
import { digest } from '../json/digest.ts'
import type { Mark } from '../json/mark.ts'
import { asRead, marked } from '../json/marked.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'

export interface KeyRules {
  /** Texts that are JSON count as their JSON value (for recordings that do not keep the order of members). */
  readonly jsonTexts: boolean
}

/**
 * Digests under which a recorded input is found again. Several when it holds an integer beyond 2^53: a live agent may come
 * with it as a bigint (compared exactly) or as a number (compared as a double). `marks` say what in it JSON lacks; null: the
 * recording does not tell.
 */
export function recordedKeys(
  input: Json,
  rules: KeyRules,
  marks: readonly Mark[] | null = null,
): readonly string[] {
  const compared = marked(input, marks ?? [])
  const exact = keyOf(compared, rules, 'exact')
  if (!holdsBigint(input)) return [exact]
  const asMade = marks === null ? exact : keyOf(marked(asRead(input, marks), marks), rules, 'exact')
  return [...new Set([exact, keyOf(compared, rules, 'double'), asMade])]
}

/** The one digest of a live input. */
export function liveKey(input: Json, rules: KeyRules): string {
  return keyOf(input, rules, 'exact')
}

type BigintForm = 'exact' | 'double'

function keyOf(input: Json, rules: KeyRules, form: BigintForm): string {
  const value = rules.jsonTexts || holdsBigint(input) ? comparable(input, rules, form) : input
  return digest(canonicalValue(value))
}

/** Marked with a NUL, which no plain text of these shapes has, so that a text never equals what it stands for. */
function comparable(value: Json, rules: KeyRules, form: BigintForm): Json {
  if (typeof value === 'bigint')
    return isExactNumber(value) || form === 'double' ? Number(value) : `\0integer ${value}`
  if (typeof value === 'string') return rules.jsonTexts ? (jsonInText(value, rules, form) ?? value) : value
  if (Array.isArray(value)) return value.map(item => comparable(item, rules, form))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, comparable(member, rules, form)] as const,
  )
  return Object.fromEntries(members)
}

function jsonInText(text: string, rules: KeyRules, form: BigintForm): Json | null {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return `\0json ${canonicalValue(comparable(parseJson(text), rules, form))}`
  } catch {
    return null
  }
}

/** A small integer is the same as either type: the recording has it as a number, the agent may have it as a bigint. */
function isExactNumber(value: bigint): boolean {
  return Number.isSafeInteger(Number(value))
}

function holdsBigint(value: Json): boolean {
  if (typeof value === 'bigint') return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsBigint)
}
