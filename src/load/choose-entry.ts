import { ENTRY_METHODS, noEntry, notCallable, notExported } from './entry-error.ts'

/** What of an agent file is called: one of its exports, or the file itself by being imported. */
export type Entry =
  | { readonly kind: 'function'; readonly name: string; readonly call: (...args: unknown[]) => unknown }
  | { readonly kind: 'script' }

interface Export {
  readonly name: string
  readonly value: unknown
  /** What `this` is in the call. */
  readonly owner: object
}

/** Names that are taken for the entry, the first that is a function. */
const ENTRY_NAMES = ['default', 'run', 'runAgent', 'agent', 'main']

/**
 * Chooses what to call of an imported agent file. `wanted` is the export named after `#`, or null; `file` is for the
 * sentence only.
 *
 * @throws StepforkError `AGENT_NO_ENTRY` when the file exports something that could be called and none, or more than
 * one, can be the entry.
 */
export function chooseEntry(namespace: object, wanted: string | null, file: string): Entry {
  const layers = layersOf(namespace)
  if (wanted !== null) return chooseNamed(layers, wanted, file)
  const chosen = byName(layers) ?? onlyFunction(layers) ?? onlyObject(layers)
  if (chosen !== null) return chosen
  if (!layers.flat().some(isCallable)) return { kind: 'script' }
  throw noEntry(namesOf(layers), file)
}

/** A CommonJS file comes as `default`, and one that was compiled from ES syntax as `default.default`. */
function layersOf(namespace: object): readonly (readonly Export[])[] {
  const layers = [exportsOf(namespace)]
  for (let depth = 0, at = memberOf(namespace, 'default'); depth < 2 && isPlainObject(at); depth++) {
    layers.push(exportsOf(at))
    at = memberOf(at, 'default')
  }
  return layers
}

function exportsOf(owner: object): readonly Export[] {
  return Object.keys(owner).map(name => ({ name, value: memberOf(owner, name), owner }))
}

/** A getter may throw (a deprecated export): then it is no entry. */
function memberOf(owner: object, name: string): unknown {
  try {
    return (owner as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

function chooseNamed(layers: readonly (readonly Export[])[], wanted: string, file: string): Entry {
  const found = layers.flat().filter(({ name }) => name === wanted)
  if (found.length === 0) throw notExported(namesOf(layers), wanted, file)
  // In a CommonJS file the outer `default` is the box in which the one that is meant may lie.
  const plain = found.find(({ value }) => isPlainFunction(value))
  const entry = plain !== undefined ? toFunction(plain) : toMethod(found[0]!)
  if (entry === null) throw notCallable(wanted, typeof found[0]!.value === 'function', file)
  return entry
}

function byName(layers: readonly (readonly Export[])[]): Entry | null {
  for (const layer of layers) {
    for (const name of ENTRY_NAMES) {
      const found = layer.find(one => one.name === name && isPlainFunction(one.value))
      if (found !== undefined) return toFunction(found)
    }
  }
  return null
}

/** The first layer with functions decides: the inner ones hold the same functions again. */
function onlyFunction(layers: readonly (readonly Export[])[]): Entry | null {
  const functions = layers
    .map(layer => layer.filter(one => isPlainFunction(one.value)))
    .find(list => list.length > 0)
  return functions?.length === 1 ? toFunction(functions[0]!) : null
}

function onlyObject(layers: readonly (readonly Export[])[]): Entry | null {
  const all = layers.flat()
  if (all.some(one => isPlainFunction(one.value))) return null
  const objects = new Map(all.filter(one => methodOf(one.value) !== null).map(one => [one.value, one]))
  return objects.size === 1 ? toMethod([...objects.values()][0]!) : null
}

function toFunction({ name, value, owner }: Export): Entry {
  const call = value as (...args: unknown[]) => unknown
  return { kind: 'function', name, call: (...args) => Reflect.apply(call, owner, args) }
}

function toMethod({ name, value }: Export): Entry | null {
  const method = methodOf(value)
  if (method === null) return null
  const object = value as Record<string, (...args: unknown[]) => unknown>
  return { kind: 'function', name, call: (...args) => object[method]!(...args) }
}

function methodOf(value: unknown): string | null {
  if (!isObject(value)) return null
  return ENTRY_METHODS.find(name => typeof memberOf(value, name) === 'function') ?? null
}

/** The members of an instance are its own business, not exports. */
function isPlainObject(value: unknown): value is object {
  return isObject(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isCallable({ value }: Export): boolean {
  return typeof value === 'function' || methodOf(value) !== null
}

function isPlainFunction(value: unknown): boolean {
  return typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value))
}

function namesOf(layers: readonly (readonly Export[])[]): readonly string[] {
  const names = layers.flat().map(({ name }) => name)
  // In a CommonJS file `default` is only the box that the exports lie in.
  return [...new Set(names)].filter(
    name => name !== '__esModule' && (name !== 'default' || layers.length === 1),
  )
}
