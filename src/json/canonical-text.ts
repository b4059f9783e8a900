import { StepforkError } from '../errors.ts'
import { canonicalName, canonicalString } from './canonical-string.ts'
import { codePointOrder } from './code-point-order.ts'
import { decode } from './cursor.ts'
import { pythonFloat } from './python-float.ts'
import { type Builder, readJson } from './read-json.ts'

/**
 * The canonical text of the value that a JSON text stands for: Python's
 * `json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(',', ':'))`, the form under which payloads are
 * hashed. It works on tokens, so integers of any size stay and `1` and `1.0` remain different. Of duplicate keys the
 * last counts. Raises NOT_JSON for what has no such form: a bad text, a number that is not finite (`1e400`), a lone
 * surrogate, nesting beyond the limit.
 */
export function canonicalText(jsonText: string): string {
  return readJson(jsonText, canonicalBuilder)
}

/** A number with a fraction or an exponent; `true` and `false` hold no digit. */
const IS_FLOAT = /\d[.eE]/

const canonicalBuilder: Builder<string> = {
  scalar: canonicalScalar,
  string: token => canonicalString(decode(token)),
  list: items => `[${items.join(',')}]`,
  object: members => {
    const sorted = isSorted(members) ? members : sortMembers(members)
    return `{${sorted.map(([name, value]) => canonicalName(name) + value).join(',')}}`
  },
}

function canonicalScalar(token: string, at: number): string {
  if (!IS_FLOAT.test(token)) return token === '-0' ? '0' : token
  const value = Number(token)
  if (Number.isFinite(value)) return pythonFloat(value)
  throw new StepforkError(
    'NOT_JSON',
    `the number ${token.slice(0, 40)} at offset ${at} is too large for a double`,
  )
}

function isSorted(members: readonly (readonly [string, string])[]): boolean {
  return members.every((member, at) => at === 0 || codePointOrder(members[at - 1]![0], member[0]) < 0)
}

/** A Map keeps the last of duplicates. */
function sortMembers(members: readonly (readonly [string, string])[]): [string, string][] {
  return [...new Map(members)].sort(([left], [right]) => codePointOrder(left, right))
}
