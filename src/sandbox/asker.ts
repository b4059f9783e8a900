/**
 * Whose code asked for a connection. Most of Node connects in the call itself, so its frames are on the stack; `fetch` and
 * `WebSocket` connect later, so the frames of their call are kept in the async context.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { patch } from '../patch.ts'
import type { RawSite } from '../trace/journal.ts'
import { framesAbove } from './frames-above.ts'

const asker = new AsyncLocalStorage<readonly string[]>()

/** Enough for what lies between an agent and a socket: an SDK, node:https, node:tls. */
const FRAMES = 40

/** Frames from the guard outwards, Node's own left out. */
export function siteOfAsker(): RawSite {
  return { frames: [...framesHere(), ...(asker.getStore() ?? [])] }
}

/** Only to look at the global WebSocket loads Node's whole fetch, half a start-up: wanted by few agents. */
export function noteAskers(ofWebSockets: boolean): (() => void)[] {
  return [noteFetch(), ...(ofWebSockets ? noteConstructor('WebSocket') : [])]
}

function noteFetch(): () => void {
  return patch(globalThis, 'fetch', original => {
    return function fetch(...args: Parameters<typeof original>) {
      return asker.run(framesHere(), () => original(...args))
    }
  })
}

/** Node loads such a class when it is first touched, which takes a while: it is wrapped only then. */
function noteConstructor(name: string): (() => void)[] {
  const before = Object.getOwnPropertyDescriptor(globalThis, name)
  if (before === undefined) return []
  let wrapped: unknown
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: before.enumerable ?? false,
    get: () => {
      wrapped ??= noting((before.get === undefined ? before.value : before.get.call(globalThis)) as Class)
      return wrapped
    },
    set: value => {
      wrapped = value
    },
  })
  return [() => Object.defineProperty(globalThis, name, before)]
}

type Class = new (...args: unknown[]) => object

function noting(original: Class): Class {
  return new Proxy(original, {
    construct: (target, args, newTarget) =>
      asker.run(framesHere(), () => Reflect.construct(target, args, newTarget)),
  })
}

function framesHere(): readonly string[] {
  return framesAbove(framesHere, FRAMES).filter(line => !line.includes('(node:'))
}
