/** Which arguments a recorded call stands for, as data, and the definition of when it matches. */
import { sameJson } from '../json/compare.ts'
import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

export type MatcherKind = 'exact' | 'subset' | 'any'

export interface Matcher {
  readonly kind: MatcherKind
  /** exact: all arguments; subset: those that must be there; any: not looked at. */
  readonly args: JsonObject
}

/**
 * JSON equality: types are kept apart, numbers are compared by value, key order is free. In a subset every expected key
 * must be there; objects are compared as subsets at any depth, everything else (lists too) as a whole.
 */
export function matches(matcher: Matcher, args: JsonObject): boolean {
  switch (matcher.kind) {
    case 'exact':
      return sameJson(matcher.args, args)
    case 'subset':
      return holds(args, matcher.args)
    case 'any':
      return true
  }
}

function holds(live: Json | undefined, expected: Json): boolean {
  if (live === undefined) return false
  if (!isJsonObject(expected)) return sameJson(expected, live)
  if (!isJsonObject(live)) return false
  return Object.keys(expected).every(key => holds(ownMember(live, key), expected[key]!))
}

function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
