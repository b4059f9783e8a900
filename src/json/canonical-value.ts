import { StepforkError } from '../errors.ts'
import { canonicalName, canonicalString } from './canonical-string.ts'
import { sortKeys } from './code-point-order.ts'
import { pythonFloat } from './python-float.ts'
import { MAX_DEPTH } from './value.ts'

/**
 * The canonical text of a JavaScript value as `JSON.stringify` would see it: `toJSON` honoured, undefined members
 * dropped, undefined in lists null. A number is an integer when it is one and JavaScript prints it without an
 * exponent; a bigint prints its digits; -0 is 0. Raises NOT_JSON for NaN, infinities, lone surrogates, cycles and
 * nesting beyond the limit.
 */
export function canonicalValue(value: unknown): string {
  return textOf(value, '', 0) ?? 'null'
}

/** Undefined for what JSON.stringify leaves out. */
function textOf(value: unknown, key: string | number, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return canonicalString(value)
    case 'number':
      return numberText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? 'null' : objectText(value, key, depth)
    case 'undefined':
    case 'function':
    case 'symbol':
      return undefined
  }
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new StepforkError('NOT_JSON', `${value} is not a JSON number`)
  if (!Number.isInteger(value) || Math.abs(value) >= 1e21) return pythonFloat(value)
  return value === 0 ? '0' : String(value)
}

function objectText(value: object, key: string | number, depth: number): string | undefined {
  if (depth >= MAX_DEPTH) {
    throw new StepforkError('NOT_JSON', `a value is nested deeper than ${MAX_DEPTH} levels, or holds itself`)
  }
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return convertedText(value.toJSON(String(key)), key, depth)
  if (Array.isArray(value)) return itemsText(value, depth)
  if (isBoxed(value)) return textOf(value.valueOf(), key, depth)
  return membersText(value as Record<string, unknown>, depth)
}

/** What `toJSON` gives is not asked for its own `toJSON` again. */
function convertedText(converted: unknown, key: string | number, depth: number): string | undefined {
  if (typeof converted !== 'object' || converted === null) return textOf(converted, key, depth)
  if (Array.isArray(converted) || !('toJSON' in converted)) return objectText(converted, key, depth)
  return membersText(converted as Record<string, unknown>, depth)
}

function itemsText(items: readonly unknown[], depth: number): string {
  let text = '['
  for (let at = 0; at < items.length; at++) {
    text += (at === 0 ? '' : ',') + (textOf(items[at], at, depth + 1) ?? 'null')
  }
  return `${text}]`
}

function membersText(value: Record<string, unknown>, depth: number): string {
  let text = '{'
  for (const key of sortKeys(Object.keys(value))) {
    const member = textOf(value[key], key, depth + 1)
    if (member !== undefined) text += (text.length === 1 ? '' : ',') + canonicalName(key) + member
  }
  return `${text}}`
}

function isBoxed(value: object): boolean {
  return value instanceof Number || value instanceof String || value instanceof Boolean
}
