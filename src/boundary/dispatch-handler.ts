/** undici tells the sender of a request what comes of it by one of two APIs, the older one with raw headers; both as one. */
import type { ExchangeHead, Header } from '../trace/exchange.ts'

export interface Listener {
  started(abort: (reason?: unknown) => void): void
  /** False: no part before `resume` was called. */
  head(head: ExchangeHead, resume: () => void): boolean
  part(bytes: Uint8Array): boolean
  ended(trailers: readonly Header[]): void
  failed(error: unknown): void
}

type Raw = readonly (Uint8Array | string | readonly (Uint8Array | string)[])[]

interface Controller {
  paused: boolean
  aborted: boolean
  reason: unknown
  rawHeaders?: Raw | null
  rawTrailers?: Raw | null
  pause(): void
  resume(): void
  abort(reason?: unknown): void
}

interface OldHandler {
  onConnect?(abort: (reason?: unknown) => void, context?: unknown): void
  onHeaders?(status: number, headers: Raw, resume: () => void, statusText: string): unknown
  onData?(bytes: Uint8Array): unknown
  onComplete?(trailers: Raw): void
  onError?(error: unknown): void
}

interface NewHandler {
  onRequestStart(controller: Controller, context: unknown): void
  onResponseStart?(controller: Controller, status: number, headers: HeaderObject, statusText: string): void
  onResponseData?(controller: Controller, bytes: Uint8Array): void
  onResponseEnd?(controller: Controller, trailers: HeaderObject): void
  onResponseError?(controller: Controller, error: unknown): void
}

type HeaderObject = Record<string, string | string[]>

export type Handler = OldHandler | NewHandler

export function isOfNewKind(handler: Handler): handler is NewHandler {
  return typeof (handler as Partial<NewHandler>).onRequestStart === 'function'
}

/** Tells `handler` what a listener is told. */
export function listenerOf(handler: Handler): Listener {
  return isOfNewKind(handler) ? toNew(handler) : toOld(handler)
}

function toOld(handler: OldHandler): Listener {
  return {
    started: abort => handler.onConnect?.(abort),
    head: ({ status, headers, statusText }, resume) =>
      handler.onHeaders?.(status, rawOf(headers), resume, statusText) !== false,
    part: bytes => handler.onData?.(bufferOf(bytes)) !== false,
    ended: trailers => handler.onComplete?.(rawOf(trailers)),
    failed: error => handler.onError?.(error),
  }
}

function toNew(handler: NewHandler): Listener {
  let wake = (): void => {}
  let controller!: Controller
  return {
    started: abort => {
      controller = controllerOf(abort, () => wake())
      handler.onRequestStart(controller, {})
    },
    head: ({ status, headers, statusText }, resume) => {
      wake = resume
      controller.rawHeaders = rawOf(headers)
      handler.onResponseStart?.(controller, status, objectOf(headers), statusText)
      return !controller.paused
    },
    part: bytes => {
      handler.onResponseData?.(controller, bufferOf(bytes))
      return !controller.paused
    },
    ended: trailers => {
      controller.rawTrailers = rawOf(trailers)
      handler.onResponseEnd?.(controller, objectOf(trailers))
    },
    failed: error => handler.onResponseError?.(controller, error),
  }
}

function controllerOf(abort: (reason?: unknown) => void, resume: () => void): Controller {
  return {
    paused: false,
    aborted: false,
    reason: null,
    rawHeaders: null,
    rawTrailers: null,
    pause() {
      this.paused = true
    },
    resume() {
      if (this.paused) resume()
      this.paused = false
    },
    abort(reason) {
      if (this.aborted) return
      Object.assign(this, { aborted: true, reason })
      abort(reason)
    },
  }
}

/** A handler, of the API that a dispatcher is used with, which tells `listener`. */
export function handlerOf(listener: Listener, isNew: boolean): Handler {
  return isNew ? fromNew(listener) : fromOld(listener)
}

function fromOld(listener: Listener): OldHandler {
  return {
    onConnect: abort => listener.started(abort),
    onHeaders: (status, headers, resume, statusText) =>
      isInterim(status) || listener.head({ status, statusText, headers: pairsOf(headers) }, resume),
    onData: bytes => listener.part(bytes),
    onComplete: trailers => listener.ended(pairsOf(trailers)),
    onError: error => listener.failed(error),
  }
}

function fromNew(listener: Listener): NewHandler {
  return {
    onRequestStart: controller => listener.started(reason => controller.abort(reason)),
    onResponseStart: (controller, status, headers, statusText) => {
      if (isInterim(status)) return
      const head = { status, statusText, headers: pairsOf(controller.rawHeaders ?? flat(headers)) }
      if (!listener.head(head, () => controller.resume())) controller.pause()
    },
    onResponseData: (controller, bytes) => {
      if (!listener.part(bytes)) controller.pause()
    },
    onResponseEnd: (controller, trailers) =>
      listener.ended(pairsOf(controller.rawTrailers ?? flat(trailers))),
    onResponseError: (_, error) => listener.failed(error),
  }
}

/** `103 Early Hints` and the like: the answer is still to come. */
function isInterim(status: number): boolean {
  return status < 200
}

function flat(headers: HeaderObject | null | undefined): Raw {
  return Object.entries(headers ?? {}).flat()
}

function pairsOf(raw: Raw | null | undefined): Header[] {
  const pairs: Header[] = []
  for (let at = 0; at < (raw?.length ?? 0); at += 2) {
    for (const value of [raw![at + 1]!].flat()) pairs.push([textOf(raw![at] as string), textOf(value)])
  }
  return pairs
}

function rawOf(headers: readonly Header[]): Buffer[] {
  return headers.flat().map(text => Buffer.from(text, 'latin1'))
}

/** As undici makes one of raw headers: names in lower case, several values as a list, bytes read as UTF-8. */
function objectOf(headers: readonly Header[]): HeaderObject {
  const object: HeaderObject = {}
  for (const [name, bytes] of headers) {
    const key = name.toLowerCase()
    const value = Buffer.from(bytes, 'latin1').toString()
    object[key] = key in object ? [object[key]!, value].flat() : value
  }
  return object
}

/** undici's own readers need methods that only Buffers have. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function textOf(value: Uint8Array | string): string {
  return typeof value === 'string' ? value : Buffer.from(value).toString('latin1')
}
