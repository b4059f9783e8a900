/**
 * JSON with its spellings: what a record is read from and written to. In a JavaScript value 1 and 1.0 are the same, in a
 * record they are not, and a record that is read and written again must come out byte for byte.
 */
import { StepforkError } from '../errors.ts'
import { codePointOrder } from '../json/code-point-order.ts'
import { type Builder, readJson } from '../json/read-json.ts'
import { isDeeperThan, type Json, MAX_DEPTH, setMember } from '../json/value.ts'
import { integerOf, numberOf, numberText, tokenOf } from './json-number.ts'

export type Tree =
  | { readonly kind: 'literal'; readonly value: null | boolean }
  | { readonly kind: 'number'; readonly token: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }

type Member = readonly [name: string, value: Tree]

/** Raises NOT_JSON for a text that is none. What is never asked for is not looked at more closely. */
export function readTree(text: string): Tree {
  return readJson(text, builder)
}

const LITERALS: { readonly [token: string]: null | boolean } = { null: null, true: true, false: false }

const builder: Builder<Tree> = {
  scalar: token => {
    const value = LITERALS[token]
    return value === undefined ? { kind: 'number', token } : { kind: 'literal', value }
  },
  string: token => ({ kind: 'text', value: JSON.parse(token) as string }),
  list: items => ({ kind: 'list', items }),
  object: members => ({ kind: 'object', members }),
}

/** Trees of values that came from a text whose spelling their JavaScript form has lost. */
const spelled = new WeakMap<object, { readonly tree: Tree; readonly plain: string }>()

/** Remembers how `value` was spelled in the text it came from, as long as nobody changes it. */
export function keepSpelling<T extends object>(value: T, tree: Tree): T {
  if (hasWholeDouble(tree)) spelled.set(value, { tree, plain: treeText(plainTree(value)) })
  return value
}

/** The tree of a value, spelled as in the text it came from if it came from one. Raises NOT_JSON for what is no JSON. */
export function treeOf(value: unknown): Tree {
  if (isDeeperThan(value, MAX_DEPTH)) {
    throw new StepforkError('NOT_JSON', `a value is nested deeper than ${MAX_DEPTH} levels, or holds itself`)
  }
  return buildTree(value, knownTree)
}

function plainTree(value: unknown): Tree {
  return buildTree(value, () => null)
}

function knownTree(value: object): Tree | null {
  const kept = spelled.get(value)
  return kept !== undefined && treeText(plainTree(value)) === kept.plain ? kept.tree : null
}

function buildTree(value: unknown, known: (value: object) => Tree | null): Tree {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', value }
    case 'number':
    case 'bigint':
      return { kind: 'number', token: tokenOf(value) }
    case 'boolean':
      return { kind: 'literal', value }
    case 'object':
      return value === null ? { kind: 'literal', value } : (known(value) ?? treeOfObject(value, known))
    case 'undefined':
    case 'function':
    case 'symbol':
      throw new StepforkError('NOT_JSON', `a value of type ${typeof value} has no JSON form`)
  }
}

function treeOfObject(value: object, known: (value: object) => Tree | null): Tree {
  if (Array.isArray(value)) return { kind: 'list', items: value.map(item => buildTree(item, known)) }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]): Member => [name, buildTree(member, known)])
  return { kind: 'object', members }
}

/** A double that JavaScript cannot tell from an integer. */
function hasWholeDouble(tree: Tree): boolean {
  switch (tree.kind) {
    case 'literal':
    case 'text':
      return false
    case 'number':
      return integerOf(tree.token) === null && integerOf(tokenOf(numberOf(tree.token))) !== null
    case 'list':
      return tree.items.some(hasWholeDouble)
    case 'object':
      return tree.members.some(([, member]) => hasWholeDouble(member))
  }
}

/** The value that a tree stands for; of duplicate names the last counts. Raises NOT_JSON for half of a surrogate pair. */
export function jsonOf(tree: Tree): Json {
  switch (tree.kind) {
    case 'literal':
      return tree.value
    case 'number':
      return numberOf(tree.token)
    case 'text':
      return wellFormed(tree.value)
    case 'list':
      return tree.items.map(jsonOf)
    case 'object': {
      const object: Record<string, Json> = {}
      for (const [name, member] of tree.members) setMember(object, wellFormed(name), jsonOf(member))
      return object
    }
  }
}

/** The text of a free value: names sorted by code point, the last of duplicates, no blanks. */
export function treeText(tree: Tree): string {
  switch (tree.kind) {
    case 'literal':
      return String(tree.value)
    case 'number':
      return numberText(tree.token)
    case 'text':
      return JSON.stringify(wellFormed(tree.value))
    case 'list':
      return `[${tree.items.map(treeText).join(',')}]`
    case 'object': {
      const sorted = [...new Map(tree.members)].sort(([left], [right]) => codePointOrder(left, right))
      return `{${sorted.map(([name, member]) => `${JSON.stringify(wellFormed(name))}:${treeText(member)}`).join(',')}}`
    }
  }
}

const LONE_SURROGATE = /\p{Surrogate}/u

export function wellFormed(text: string): string {
  if (!LONE_SURROGATE.test(text)) return text
  throw new StepforkError(
    'NOT_JSON',
    `a text holds half of a surrogate pair: ${JSON.stringify(text.slice(0, 40))}`,
  )
}
