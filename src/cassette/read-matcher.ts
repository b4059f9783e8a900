import type { Matcher } from '../match/matcher.ts'
import { frozenMembers } from './frozen-json.ts'
import { below, type Members, objectAt, type Place, refuse, refuseUnknown } from './place.ts'

/** Called with the place of what grudge drops without a word, and so do we unless the caller says otherwise. */
export type OnIgnored = (place: Place, message: string) => void

const KINDS = ['exact', 'subset', 'any'] as const
const KIND_NAMES = ['kind', 'mode', 'type'] as const

/**
 * A matcher in any of the spellings that grudge reads: `{exact: {…}}`, `{subset: {…}}`, `{any: true}`, or a kind (`kind`,
 * else `mode`, else `type`) beside `args` or `value`. The short one counts only when no kind is given.
 */
export function readMatcher(value: unknown, place: Place, onIgnored: OnIgnored): Matcher | null {
  const given = objectAt(value, place)
  if (given === null) return null
  const short = KINDS.find(kind => Object.hasOwn(given, kind))
  const hasKind = KIND_NAMES.some(name => Object.hasOwn(given, name) && given[name] != null)
  return short !== undefined && !hasKind ? readShort(given, short, place, onIgnored) : readLong(given, place)
}

function readShort(
  given: Members,
  kind: Matcher['kind'],
  place: Place,
  onIgnored: OnIgnored,
): Matcher | null {
  for (const name of Object.keys(given))
    if (name !== kind) onIgnored(below(place, name), `is ignored beside "${kind}"`)
  if (kind === 'any') return matcher(kind, Object.freeze({}))
  return matcher(kind, frozenMembers(given[kind], below(place, kind)))
}

function readLong(given: Members, place: Place): Matcher | null {
  const named = KIND_NAMES.find(name => Object.hasOwn(given, name))
  const kind = named === undefined ? missingKind(place) : readKind(given[named], below(place, named))
  const argsName = Object.hasOwn(given, 'args') ? 'args' : 'value'
  refuseUnknown(given, [...KIND_NAMES, argsName], place)
  const args = Object.hasOwn(given, argsName)
    ? frozenMembers(given[argsName], below(place, argsName))
    : Object.freeze({})
  return kind === null ? null : matcher(kind, args)
}

function readKind(value: unknown, place: Place): Matcher['kind'] | null {
  const kind = KINDS.find(known => known === value)
  return kind ?? refuse(place, 'must be exact, subset or any')
}

function missingKind(place: Place): null {
  return refuse(place, 'must say how it matches: {"exact": {…}}, {"subset": {…}} or {"any": true}')
}

function matcher(kind: Matcher['kind'], args: Matcher['args'] | null): Matcher | null {
  return args === null ? null : Object.freeze({ kind, args })
}
