import { StepforkError } from '../errors.ts'
import { isDeeperThan, type Json, MAX_DEPTH } from './value.ts'

/**
 * A JSON text of the value on one line, members in their order; bigints print as integers. Raises NOT_JSON for
 * numbers that are not finite, which JSON.stringify would turn into null, and for nesting beyond the limit.
 */
export function writeJson(value: Json): string {
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new StepforkError('NOT_JSON', `a value is nested deeper than ${MAX_DEPTH} levels`)
  }
  return textOf(value)
}

function textOf(value: Json): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new StepforkError('NOT_JSON', `${value} is not a JSON number`)
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textOf(member)}`).join(',')}}`
}
