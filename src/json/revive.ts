import { StepforkError } from '../errors.ts'
import { made } from './made.ts'
import { isBigintsKind, type Kind, type Mark } from './mark.ts'
import type { ErrorClass } from './rebuild-error.ts'
import { isJsonObject, type Json, setMember } from './value.ts'

/**
 * What `carry` made plain, as it was: changes `plain`, a fresh value as `parseJson` gives it, in place. Nothing that stands
 * in it is run. Integers beyond 2^53 without a mark become numbers, as JSON.parse reads them. Raises NOT_JSON where a mark
 * and the value contradict each other, as both may come from anyone.
 */
export function revive(plain: Json, marks: readonly Mark[], classes: readonly ErrorClass[] = []): unknown {
  return rebuilt(plain, treeOf(marks), classes)
}

/** The marks as a tree, by the keys of the plain value. */
interface Branch {
  is: Kind | null
  readonly path: string
  readonly below: Map<string, Branch>
}

function treeOf(marks: readonly Mark[]): Branch {
  const top = branchAt('')
  for (const { path, is } of marks) {
    let at = top
    for (const part of path.split('/').slice(1)) at = branchBelow(at, part)
    if (at.path !== path) refuse(path, 'that is no JSON Pointer')
    if (at.is !== null) refuse(path, 'it is marked twice')
    at.is = is
  }
  return top
}

function branchAt(path: string): Branch {
  return { is: null, path, below: new Map() }
}

function branchBelow(above: Branch, part: string): Branch {
  const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
  const known = above.below.get(key) ?? branchAt(`${above.path}/${part}`)
  above.below.set(key, known)
  return known
}

function rebuilt(value: Json, branch: Branch | undefined, classes: readonly ErrorClass[]): unknown {
  const is = branch?.is ?? null
  if (branch !== undefined) assertPlaces(value, branch)
  if (typeof value === 'bigint') return is === 'bigint' ? value : Number(value)
  if (is === null || !isBigintsKind(is)) rebuildBelow(value, branch, classes)
  if (is === null) return value
  try {
    return made(is, value, classes)
  } catch {
    return refuse(branch!.path, `its value is none of the kind ${is}`)
  }
}

function rebuildBelow(value: Json, branch: Branch | undefined, classes: readonly ErrorClass[]): void {
  if (Array.isArray(value)) {
    const items = value as unknown[]
    for (let at = 0; at < items.length; at++)
      items[at] = rebuilt(value[at]!, branch?.below.get(String(at)), classes)
  } else if (isJsonObject(value)) {
    const members = value as Record<string, unknown>
    for (const key of Object.keys(value))
      setMember(members, key, rebuilt(value[key]!, branch?.below.get(key), classes))
  }
}

function assertPlaces(value: Json, { below }: Branch): void {
  for (const [key, { path }] of below) {
    const isThere = Array.isArray(value)
      ? /^(0|[1-9]\d*)$/.test(key) && Number(key) < value.length
      : isJsonObject(value) && Object.hasOwn(value, key)
    if (!isThere) refuse(path, 'there is nothing')
  }
}

function refuse(path: string, why: string): never {
  throw new StepforkError('NOT_JSON', `${path === '' ? 'the whole' : path}: ${why}`)
}
