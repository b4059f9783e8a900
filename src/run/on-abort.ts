/** Callbacks of each signal behind one listener: Node warns of a leak at the eleventh, and a signal may serve hundreds of calls. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back once when the signal aborts, at once if it has; returns how to take that back. */
export function onAbort(signal: AbortSignal | null, callback: () => void): () => void {
  if (signal === null) return () => {}
  if (signal.aborted) {
    callback()
    return () => {}
  }
  const callbacks = callbacksOf.get(signal) ?? listenTo(signal)
  callbacks.add(callback)
  return () => callbacks.delete(callback)
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>()
  callbacksOf.set(signal, callbacks)
  signal.addEventListener('abort', () => callbacks.forEach(callback => void callback()), { once: true })
  return callbacks
}
