/** Values looked at, breadth first: what a tool gives at its top is what its caller uses, and the rest costs time. */
const LOOKED_AT = 2000

interface Place {
  readonly value: unknown
  readonly path: string
}

/**
 * What is lost of a value that `snapshot` can keep when it comes back as plain JSON: a text such as `a Date (at $.when)`,
 * for the first such value; null for plain data. A class without methods or accessors loses nothing that can be called.
 */
export function moreThanJson(value: unknown): string | null {
  const queue: Place[] = [{ value, path: '$' }]
  for (let at = 0; at < queue.length && at < LOOKED_AT; at++) {
    const place = queue[at]!
    const name = lostOf(place.value)
    if (name !== null) return `${name} (at ${place.path})`
    if (queue.length < LOOKED_AT) queue.push(...below(place))
  }
  return null
}

function lostOf(value: unknown): string | null {
  if (typeof value === 'bigint') return 'a bigint'
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return 'toJSON' in value || hasClassMembers(value) ? nameOf(value) : null
}

/** The last prototype is that of all objects, whichever realm it is of. */
function hasClassMembers(value: object): boolean {
  for (let at = prototypeOf(value); at !== null; at = prototypeOf(at)) {
    if (prototypeOf(at) === null) return false
    if (Reflect.ownKeys(at).some(key => key !== 'constructor')) return true
  }
  return false
}

function prototypeOf(value: object): object | null {
  return Object.getPrototypeOf(value) as object | null
}

function nameOf(value: object): string {
  const name: unknown = value.constructor?.name
  if (name === 'Object') return 'an object with toJSON'
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class'
}

function below({ value, path }: Place): Place[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value))
    return value.slice(0, LOOKED_AT).map((item, at) => ({ value: item, path: `${path}[${at}]` }))
  return Object.entries(value)
    .slice(0, LOOKED_AT)
    .map(([name, member]) => ({ value: member, path: `${path}.${name}` }))
}
