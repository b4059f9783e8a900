/** A JSON value as stepfork holds it. Integers beyond 2^53 are bigints, so that none is rounded in silence. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/**
 * Deepest nesting that is taken anywhere: a scalar may sit inside this many lists and objects. Without a limit a
 * hostile text ends in a stack overflow somewhere far from its cause; the Python implementation stops at 100.
 */
export const MAX_DEPTH = 1000

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets an own member. Plain assignment to `__proto__` would change the prototype and lose the member. */
export function setMember<T>(target: Record<string, T>, key: string, value: T): void {
  if (key !== '__proto__') {
    target[key] = value
    return
  }
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** True when some scalar sits inside more than `limit` lists and objects. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  if (Array.isArray(value)) return value.some(item => isDeeperThan(item, limit - 1))
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], limit - 1)) return true
  }
  return false
}
