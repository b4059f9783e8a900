/**
 * Numbers as the JSON library of the Rust crates takes them: integers of 64 bits, signed or not, are integers; all others,
 * larger integers and `-0` included, are doubles, written with a fraction or an exponent.
 */
import { StepforkError } from '../errors.ts'

const SMALLEST = -(2n ** 63n)
const LARGEST = 2n ** 64n - 1n

/** The integer that a token stands for; null when it stands for a double. */
export function integerOf(token: string): bigint | null {
  if (/[.eE]/.test(token) || token === '-0') return null
  const value = BigInt(token)
  return value >= SMALLEST && value <= LARGEST ? value : null
}

/** An integer beyond 2^53 is a bigint. Raises NOT_JSON for a number that is too large for a double. */
export function numberOf(token: string): number | bigint {
  const integer = integerOf(token)
  if (integer === null) return finite(Number(token), token)
  const value = Number(integer)
  return Number.isSafeInteger(value) ? value : integer
}

/** The one spelling of the number: `1e3` is `1000.0`. */
export function numberText(token: string): string {
  const integer = integerOf(token)
  return integer === null ? doubleText(finite(Number(token), token)) : String(integer)
}

/** The token of a JavaScript number: an integer where every double up to it is exact, else a double. */
export function tokenOf(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value)
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value)
  return doubleText(finite(value, String(value)))
}

/** Shortest digits; with an exponent from 1e16 up and below 1e-5, which is not where JavaScript changes over. */
function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const size = Math.abs(value)
  if (size >= 1e16 || (size < 1e-5 && size > 0)) return value.toExponential()
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

function finite(value: number, token: string): number {
  if (Number.isFinite(value)) return value
  throw new StepforkError('NOT_JSON', `${token.slice(0, 40)} is no number that a double can hold`)
}
