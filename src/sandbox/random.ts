/** Chance goes through us: Math.random, and of node:crypto and the Web Crypto all that draws. Keys are made without it. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { patch } from '../patch.ts'

type Entry = (...args: never[]) => unknown

/** Asked when something is drawn; the answer gets what was really drawn, which for a callback is later. Null: leave it. */
export interface Chance {
  /** What is given in place of a drawn number. */
  number(api: string, entry: Entry): ((drawn: number) => number) | null
  /** Looks at drawn bytes, or changes them in place. */
  bytes(api: string, entry: Entry): ((drawn: Uint8Array) => void) | null
}

/** Install it before the agent is loaded. */
export function patchRandom(chance: Chance): () => void {
  const drawing = nesting(chance)
  const undo = [
    patchMath(drawing),
    patchRandomInt(drawing),
    patchBytes(drawing),
    ...patchFills(drawing),
    ...patchUuids(drawing),
    patchWeb(drawing),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.reverse()) restore()
    syncBuiltinESMExports()
  }
}

interface Drawing extends Chance {
  /** Draws for real; what that draws again inside is no draw of its own. */
  really<T>(draw: () => T): T
}

function nesting(chance: Chance): Drawing {
  let isInside = false
  return {
    number: (api, entry) => (isInside ? null : chance.number(api, entry)),
    bytes: (api, entry) => (isInside ? null : chance.bytes(api, entry)),
    really: draw => {
      const before = isInside
      isInside = true
      try {
        return draw()
      } finally {
        isInside = before
      }
    },
  }
}

function patchMath(drawing: Drawing): () => void {
  return patch(Math, 'random', original => {
    const random = (): number => {
      const give = drawing.number('Math.random', random)
      return give === null ? original() : give(original())
    }
    return random
  })
}

type Callback = (error: Error | null, value?: unknown) => void
type Draw = (...args: unknown[]) => unknown
type Draws = { [name: string]: Draw }

function patchRandomInt(drawing: Drawing): () => void {
  return patch(crypto as unknown as Draws, 'randomInt', original => {
    return function randomInt(...args) {
      const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : null
      const give = drawing.number(['randomInt', ...args].join(' '), randomInt)
      const given = (drawn: unknown): unknown => (give === null ? drawn : give(drawn as number))
      if (callback === null) return given(drawing.really(() => original!(...args)))
      return drawing.really(() => original!(...args, later(callback, given)))
    }
  })
}

function patchBytes(drawing: Drawing): () => void {
  return patch(crypto as unknown as Draws, 'randomBytes', original => {
    return function randomBytes(size, callback) {
      const change = drawing.bytes(`randomBytes ${size}`, randomBytes)
      const given = (drawn: unknown): unknown => {
        change?.(drawn as Uint8Array)
        return drawn
      }
      if (typeof callback !== 'function') return given(drawing.really(() => original!(size, callback)))
      return drawing.really(() => original!(size, later(callback as Callback, given)))
    }
  })
}

function patchFills(drawing: Drawing): (() => void)[] {
  const place = crypto as unknown as Draws
  return [
    patch(place, 'randomFillSync', original => {
      return function randomFillSync(target, ...range) {
        const change = drawing.bytes(`randomFill ${filled(target, range)?.length}`, randomFillSync)
        drawing.really(() => original!(target, ...range))
        change?.(filled(target, range)!)
        return target
      }
    }),
    patch(place, 'randomFill', original => {
      return function randomFill(target, ...rest) {
        const callback = rest.at(-1)
        const range = rest.slice(0, -1)
        if (typeof callback !== 'function') return original!(target, ...rest)
        const change = drawing.bytes(`randomFill ${filled(target, range)?.length}`, randomFill)
        const given = (): unknown => {
          change?.(filled(target, range)!)
          return target
        }
        return drawing.really(() => original!(target, ...range, later(callback as Callback, given)))
      }
    }),
  ]
}

/** The part of a view or buffer that is filled; offset and size count its elements. Null for what the original refuses. */
function filled(target: unknown, [offset = 0, size]: readonly unknown[]): Uint8Array | null {
  const bytes = bytesOf(target)
  if (bytes === null) return null
  const { BYTES_PER_ELEMENT: width = 1 } = target as { BYTES_PER_ELEMENT?: number }
  const from = Number(offset) * width
  return bytes.subarray(from, size === undefined ? undefined : from + Number(size) * width)
}

function bytesOf(target: unknown): Uint8Array | null {
  if (ArrayBuffer.isView(target)) return new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
  return target instanceof ArrayBuffer || target instanceof SharedArrayBuffer ? new Uint8Array(target) : null
}

function patchUuids(drawing: Drawing): (() => void)[] {
  const uuid = (original: Draw): Draw =>
    function randomUUID(this: unknown, ...args) {
      const change = drawing.bytes('randomUUID', randomUUID)
      const drawn = drawing.really(() => original.apply(this, args)) as string
      if (change === null) return drawn
      const bytes = Buffer.from(drawn.replaceAll('-', ''), 'hex')
      change(bytes)
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      return uuidText(bytes)
    }
  return [crypto, webPrototype()].map(place =>
    patch(place as unknown as Draws, 'randomUUID', original => uuid(original!)),
  )
}

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** `getRandomValues` of node:crypto, which cannot be replaced everywhere, calls this one. */
function patchWeb(drawing: Drawing): () => void {
  return patch(webPrototype() as Draws, 'getRandomValues', original => {
    return function getRandomValues(this: unknown, target) {
      const change = drawing.bytes(`getRandomValues ${bytesOf(target)?.length}`, getRandomValues)
      drawing.really(() => original!.call(this, target))
      change?.(bytesOf(target)!)
      return target
    }
  })
}

function webPrototype(): object {
  return Object.getPrototypeOf(crypto.webcrypto) as object
}

function later(callback: Callback, give: (drawn: unknown) => unknown): Callback {
  return function (this: unknown, error, drawn) {
    if (error) callback.call(this, error)
    else callback.call(this, null, give(drawn))
  }
}
