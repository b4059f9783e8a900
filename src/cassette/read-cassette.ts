/** From bytes or a literal to a cassette: every problem in one error, each with its place from the top. */
import { isStepforkError } from '../errors.ts'
import type { RecordedError } from '../json/error-record.ts'
import { keepSpelling, parseSpelled } from '../json/spelling.ts'
import type { Cassette, CassetteEntry, CassetteInput } from './cassette.ts'
import { frozenJson, frozenMembers } from './frozen-json.ts'
import {
  below,
  nameAt,
  objectAt,
  optional,
  type Place,
  pathOf,
  refuse,
  refuseUnknown,
  required,
  textAt,
  topPlace,
} from './place.ts'
import { type OnIgnored, readMatcher } from './read-matcher.ts'
import { ShapeError, type ShapeProblem } from './shape-error.ts'

export interface CassetteOptions {
  /** Refuse also what grudge drops without a word: other members beside a matcher's short spelling. */
  readonly strictShapes?: boolean
  /** Else told of each, once. */
  readonly onIgnored?: (problem: ShapeProblem) => void
  /** Named in the error. */
  readonly file?: string
}

/** Raises ShapeError (`CASSETTE_INVALID`) for a text that is no JSON or no cassette. */
export function parseCassette(text: string, options: CassetteOptions = {}): Cassette {
  return read(parseText(text, options), options)
}

/**
 * Checks a cassette written as a literal, in any spelling, and copies it; one that is normalised already is given back.
 * Raises ShapeError (`CASSETTE_INVALID`).
 */
export function toCassette(input: CassetteInput, options: CassetteOptions = {}): Cassette {
  return normalised.has(input) ? (input as Cassette) : read(input, options)
}

/** Cassettes that went through here: frozen, so they are still what they were. */
const normalised = new WeakSet<object>()

function parseText(text: string, options: CassetteOptions): unknown {
  try {
    return parseSpelled(text)
  } catch (error) {
    if (!isStepforkError(error)) throw error
    throw invalid([{ path: '', message: error.message }], options)
  }
}

function read(value: unknown, options: CassetteOptions): Cassette {
  const problems: ShapeProblem[] = []
  const cassette = readCassette(value, topPlace(problems), ignoring(options))
  if (cassette === null || problems.length > 0) throw invalid(problems, options)
  normalised.add(cassette)
  return cassette
}

function invalid(problems: readonly ShapeProblem[], { file }: CassetteOptions): ShapeError {
  const hint =
    'A cassette is {"task": …, "world": [{"tool": …, "match": …, "response": …}]}; see docs/cassettes.md.'
  return new ShapeError('CASSETTE_INVALID', file ?? 'this is no cassette', problems, hint)
}

function ignoring({ strictShapes, onIgnored }: CassetteOptions): OnIgnored {
  if (strictShapes === true) return refuse
  return (place, message) => onIgnored?.({ path: pathOf(place), message })
}

function readCassette(value: unknown, place: Place, onIgnored: OnIgnored): Cassette | null {
  const given = objectAt(value, place)
  if (given === null) return null
  refuseUnknown(given, ['task', 'world'], place)
  const task = required(given, 'task', place, textAt)
  const world =
    Object.hasOwn(given, 'world') && given.world !== undefined
      ? required(given, 'world', place, (list, at) => readWorld(list, at, onIgnored))
      : Object.freeze([])
  return task === null || world === null ? null : Object.freeze({ task, world })
}

function readWorld(value: unknown, place: Place, onIgnored: OnIgnored): readonly CassetteEntry[] | null {
  if (!Array.isArray(value)) return refuse(place, 'must be a list')
  const entries = value.map((entry: unknown, at) => readEntry(entry, below(place, at), onIgnored))
  return Object.freeze(entries.filter(entry => entry !== null))
}

function readEntry(value: unknown, place: Place, onIgnored: OnIgnored): CassetteEntry | null {
  const given = objectAt(value, place)
  if (given === null) return null
  refuseUnknown(given, ['tool', 'match', 'response', 'order_hint', 'error'], place)
  const tool = required(given, 'tool', place, nameAt)
  const match = required(given, 'match', place, (matcher, at) => readMatcher(matcher, at, onIgnored))
  // A null response is one, so only the problems tell whether it is missing.
  const response = required(given, 'response', place, frozenJson)
  const order_hint = optional(given, 'order_hint', place, null, hintAt)
  const error = optional(given, 'error', place, undefined, errorAt) ?? undefined
  if (tool === null || match === null) return null
  const entry = { tool, match, response, order_hint, ...(error !== undefined && { error }) }
  keepSpelling(given, entry, ['order_hint'])
  return Object.freeze(entry)
}

function hintAt(value: unknown, place: Place): number | bigint | null {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))) return value
  return refuse(place, 'must be a whole number')
}

/** A text is the message of an error whose name nobody kept. */
export function errorAt(value: unknown, place: Place): RecordedError | null {
  if (typeof value === 'string') {
    const message = textAt(value, place)
    return message === null ? null : Object.freeze({ name: 'Error', message })
  }
  const given = objectAt(value, place)
  if (given === null) return null
  required(given, 'name', place, textAt)
  required(given, 'message', place, textAt)
  return frozenMembers(given, place) as RecordedError | null
}
