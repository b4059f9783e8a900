/**
 * Patch and undo, and the real timers and clock, kept before any agent code can replace them. The driver must
 * go on working when the agent installs fake timers.
 */

export const real = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  /** Milliseconds since the process started, monotone. */
  now: performance.now.bind(performance),
  /** Milliseconds since the epoch. */
  wallClock: Date.now,
} as const

/**
 * Replaces `target[key]` by what `make` builds from the original; the returned function puts it back, unless somebody has
 * replaced it since: the agent's own patch, which calls ours, must not go with it.
 */
export function patch<T extends object, K extends keyof T>(
  target: T,
  key: K,
  make: (original: T[K]) => T[K],
): () => void {
  const before = Object.getOwnPropertyDescriptor(target, key)
  const value = make(target[key])
  Object.defineProperty(target, key, {
    value,
    writable: true,
    configurable: true,
    enumerable: before?.enumerable ?? true,
  })
  return () => {
    if (Object.getOwnPropertyDescriptor(target, key)?.value !== value) return
    if (before === undefined) delete target[key]
    else Object.defineProperty(target, key, before)
  }
}
