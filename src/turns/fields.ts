/** Reads the members of one record out of a tree; every refusal names the place as a JSON Pointer. */
import { isStepforkError, StepforkError } from '../errors.ts'
import { pointer } from '../json/pointer.ts'
import type { Json } from '../json/value.ts'
import { integerOf } from './json-number.ts'
import { jsonOf, type Tree, treeText, wellFormed } from './json-tree.ts'

export interface Fields {
  /** Where the record stands. */
  readonly place: readonly (string | number)[]
  readonly members: ReadonlyMap<string, Tree>
}

/**
 * The named members of a record. A list of them in the order of `names` is a record, too: the crates read it so. Other
 * members are passed over; a named one that is there twice is refused.
 */
export function fieldsOf(tree: Tree, place: Fields['place'], names: readonly string[]): Fields {
  if (tree.kind === 'list') return { place, members: inOrder(tree.items, place, names) }
  if (tree.kind !== 'object') return refuse(place, `${shown(tree)} is no object`)
  const members = new Map<string, Tree>()
  for (const [name, value] of tree.members) {
    if (members.has(name)) refuse(place, `"${name}" is there twice`)
    if (names.includes(name)) members.set(name, value)
  }
  return { place, members }
}

function inOrder(
  items: readonly Tree[],
  place: Fields['place'],
  names: readonly string[],
): Map<string, Tree> {
  if (items.length > names.length) {
    refuse(place, `a list of ${items.length} is no record, which has ${names.length} members`)
  }
  return new Map(items.map((item, at) => [names[at]!, item]))
}

export function requiredAt(fields: Fields, name: string): Tree {
  return fields.members.get(name) ?? refuse(fields.place, `"${name}" is missing`)
}

export function textAt(fields: Fields, name: string): string {
  const tree = requiredAt(fields, name)
  if (tree.kind !== 'text') return refuse([...fields.place, name], `${shown(tree)} is no text`)
  return checked([...fields.place, name], () => wellFormed(tree.value))
}

/** Null for a text that is missing or null. */
export function optionalTextAt(fields: Fields, name: string): string | null {
  const tree = fields.members.get(name)
  if (tree === undefined || (tree.kind === 'literal' && tree.value === null)) return null
  return textAt(fields, name)
}

export function flagAt(fields: Fields, name: string): boolean {
  const tree = requiredAt(fields, name)
  if (tree.kind === 'literal' && tree.value !== null) return tree.value
  return refuse([...fields.place, name], `${shown(tree)} is neither true nor false`)
}

/** A whole number from 0 to `max`; spelled as one, since `3.0` is a double. */
export function countAt(fields: Fields, name: string, max: bigint): bigint {
  const tree = requiredAt(fields, name)
  const value = tree.kind === 'number' ? integerOf(tree.token) : null
  if (value !== null && value >= 0n && value <= max) return value
  return refuse([...fields.place, name], `${shown(tree)} is no whole number from 0 to ${max}`)
}

/** The items of a list; none when it is missing, but null is refused. */
export function itemsAt(fields: Fields, name: string): readonly Tree[] {
  const tree = fields.members.get(name)
  if (tree === undefined) return []
  return tree.kind === 'list' ? tree.items : refuse([...fields.place, name], `${shown(tree)} is no list`)
}

/** A value of any kind. */
export function freeValue(tree: Tree, place: Fields['place']): Json {
  return checked(place, () => jsonOf(tree))
}

/** Raises STEP_RECORD_INVALID. */
export function refuse(place: Fields['place'], fault: string): never {
  const at = place.length === 0 ? '' : ` at ${pointer(place)}`
  throw new StepforkError('STEP_RECORD_INVALID', `the record is not valid${at}: ${fault}`, HINT)
}

/** What is no JSON in a place of the record is a fault of that place. */
function checked<T>(place: Fields['place'], read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (isStepforkError(error) && error.code === 'NOT_JSON') refuse(place, error.message)
    throw error
  }
}

export const HINT = 'The shape of a step record is described in docs/recorded-turns.md.'

function shown(tree: Tree): string {
  if (tree.kind === 'object') return 'an object'
  if (tree.kind === 'list') return 'a list'
  const text =
    tree.kind === 'number' ? tree.token : tree.kind === 'text' ? JSON.stringify(tree.value) : treeText(tree)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
