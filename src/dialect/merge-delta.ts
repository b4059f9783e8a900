import { isJsonObject, type Json, type JsonObject, setMember } from '../json/value.ts'

/** What is built of the parts of a stream. */
export type Draft = { [key: string]: Json }

/** Texts that are said whole, by some servers in each part again; all others come in pieces. */
const WHOLE = new Set(['role', 'id', 'name', 'type', 'object', 'call_id', 'format', 'mime_type', 'signature'])

/**
 * Adds a part to what came before, also with members that nobody here has heard of: texts are joined, lists grow (their
 * items are merged where they say their `index`), objects are merged; of anything else the last one counts, but null
 * takes nothing away.
 */
export function mergeDelta(into: Draft, delta: JsonObject): void {
  for (const key of Object.keys(delta)) {
    const before = Object.hasOwn(into, key) ? into[key]! : null
    setMember(into, key, merged(key, before, delta[key]!))
  }
}

/** Members that say the state as a whole: the last one counts, but nothing replaces something. */
export function takeLast(into: Draft, members: JsonObject, except: readonly string[] = []): void {
  for (const key of Object.keys(members)) {
    if (except.includes(key)) continue
    const value = members[key]!
    if (Object.hasOwn(into, key) && (value === null || value === '')) continue
    setMember(into, key, value)
  }
}

function merged(key: string, before: Json, now: Json): Json {
  if (before === null || now === null) return before ?? now
  if (typeof before === 'string' && typeof now === 'string') {
    return WHOLE.has(key) ? now || before : before + now
  }
  if (Array.isArray(before) && Array.isArray(now)) return mergedItems(before, now)
  if (!isJsonObject(before) || !isJsonObject(now)) return now
  const copy = { ...before }
  mergeDelta(copy, now)
  return copy
}

function mergedItems(before: readonly Json[], now: readonly Json[]): Json[] {
  const items = [...before]
  for (const item of now) {
    const index = isJsonObject(item) ? item.index : undefined
    const at =
      typeof index !== 'number' ? -1 : items.findIndex(one => isJsonObject(one) && one.index === index)
    if (at === -1) items.push(item)
    else items[at] = merged('', items[at]!, item)
  }
  return items
}
