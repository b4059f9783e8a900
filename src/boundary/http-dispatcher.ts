/**
 * The layer of undici's global dispatchers: what npm undici sends, and a `fetch` that was kept before ours was there. It
 * carries encoded bytes. A dispatcher that is given to a single request of npm undici is not seen.
 */
import { patch } from '../patch.ts'
import { callerOf } from './caller.ts'
import type { Handler } from './dispatch-handler.ts'
import { addressOf, type DispatchOptions, readDispatch } from './dispatch-request.ts'
import { httpCall, isAnyoneListening, watchesHttp } from './http-call.ts'
import { type Dispatch, openDispatch } from './open-dispatch.ts'

/** The first is that of undici 6 and of Node up to 22, the second came with undici 7; which sets both. */
const KEYS: readonly PropertyKey[] = [1, 2].map(version => Symbol.for(`undici.globalDispatcher.${version}`))

/** Methods of a dispatcher that send by its `dispatch`, which must be ours then. */
const SENDING = new Set<PropertyKey>(['request', 'stream', 'pipeline', 'connect', 'upgrade', 'compose'])

interface Dispatcher {
  dispatch: Dispatch
}

const place = globalThis as unknown as { [key: PropertyKey]: Dispatcher | undefined }
const watchedOf = new WeakMap<Dispatcher, Dispatcher>()
const realOf = new WeakMap<Dispatcher, Dispatcher>()

/**
 * Watches the dispatchers that are there and those that are to come. undici defines them by `Object.defineProperty`, and
 * refuses to be loaded where it cannot; to load it here, only to have them, would double the time of a start.
 */
export function watchDispatchers(): () => void {
  const restore = patch(Object, 'defineProperty', original => {
    const { defineProperty } = {
      defineProperty(target: unknown, key: PropertyKey, descriptor: PropertyDescriptor): unknown {
        return original(
          target,
          key,
          target === globalThis && KEYS.includes(key) ? seen(descriptor) : descriptor,
        )
      },
    }
    return defineProperty as typeof original
  })
  for (const key of KEYS) if (place[key] !== undefined) place[key] = watched(place[key])
  return () => {
    restore()
    for (const key of KEYS) if (place[key] !== undefined) place[key] = realOf.get(place[key]) ?? place[key]
  }
}

function seen(descriptor: PropertyDescriptor): PropertyDescriptor {
  return descriptor?.value === undefined ? descriptor : { ...descriptor, value: watched(descriptor.value) }
}

function watched(real: Dispatcher): Dispatcher {
  if (realOf.has(real)) return real
  const known = watchedOf.get(real)
  if (known !== undefined) return known
  const dispatch = watchedDispatch((options: DispatchOptions, handler: Handler) =>
    real.dispatch(options, handler),
  )
  const ours = new Proxy(real, {
    get(target, key) {
      if (key === 'dispatch') return dispatch
      const value = Reflect.get(target, key) as unknown
      // A class with private fields knows its methods only on the real one.
      return typeof value === 'function' && key !== 'constructor' && !SENDING.has(key)
        ? value.bind(target)
        : value
    },
  })
  watchedOf.set(real, ours)
  realOf.set(ours, real)
  return ours
}

function watchedDispatch(real: Dispatch): Dispatch {
  return function dispatch(options, handler) {
    const url = isAnyoneListening() ? addressOf(options) : null
    const read = url !== null && watchesHttp(url) ? readDispatch(url, options) : null
    if (read === null) return real(options, handler)
    if (read instanceof Promise) {
      const caller = callerOf(dispatch)
      openDispatch(handler, real).answer(({ send, signal }) =>
        read.then(ready => {
          const call = httpCall(ready.sent, 'undici')
          return call === null ? send(ready) : call(() => send(ready), signal, dispatch, caller)
        }),
      )
      return true
    }
    const call = httpCall(read.sent, 'undici')
    if (call === null) return real(options, handler)
    openDispatch(handler, real).answer(({ send, signal }) => call(() => send(read), signal, dispatch))
    return true
  }
}
