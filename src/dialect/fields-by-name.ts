import { type Json, type JsonObject, setMember } from '../json/value.ts'

/** Values by name, repeated ones as a list: names are where secrets are told by, and their order means nothing. */
export function fieldsByName(pairs: Iterable<readonly [string, Json]>): JsonObject {
  const lists = new Map<string, Json[]>()
  for (const [name, value] of pairs) {
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else list.push(value)
  }
  const object: { [name: string]: Json } = {}
  for (const [name, list] of lists) setMember(object, name, list.length === 1 ? list[0]! : list)
  return object
}
