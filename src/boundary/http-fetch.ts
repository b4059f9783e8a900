/** The layer of global `fetch`: what most SDKs send with. It hands out decoded bytes. */
import { patch } from '../patch.ts'
import type { HttpAnswer } from '../trace/exchange.ts'
import { callerOf } from './caller.ts'
import { type FetchInput, readFetch } from './fetch-request.ts'
import { answerOf, responseOf } from './fetch-response.ts'
import { httpCall, isAnyoneListening, watchesHttp } from './http-call.ts'

type Fetch = typeof globalThis.fetch
type Arguments = [input: FetchInput, init?: RequestInit]

/** Patches `fetch`; the returned function puts it back. */
export function watchFetch(): () => void {
  return patch(globalThis, 'fetch', original => {
    const real = (...args: Arguments): Promise<Response> => Reflect.apply(original, undefined, args)
    const fetch = (...args: Arguments): Promise<Response> => {
      if (!isAnyoneListening()) return real(...args)
      const url = addressOf(args[0])
      return url === null ? real(...args) : watched(url, args)
    }
    const watched = async (url: URL, args: Arguments): Promise<Response> => {
      if (!watchesHttp(url) || isAborted(args)) return real(...args)
      // No `await` before a call whose parts are all there: it is made in the turn of its caller.
      const read = readFetch(url, args, real)
      const caller = read instanceof Promise ? callerOf(fetch) : undefined
      const { sent, signal, send } = read instanceof Promise ? await read : read
      const answer = httpCall(sent, 'fetch')
      if (answer === null) return send()
      const really = async (): Promise<HttpAnswer> => answerOf(await send())
      return responseOf(await answer(really, signal, fetch, caller), url, signal)
    }
    return named(fetch as Fetch, original)
  })
}

/** Null: no address, for which `fetch` has its own error. */
function addressOf(input: FetchInput): URL | null {
  try {
    return input instanceof URL ? input : new URL(typeof input === 'string' ? input : textOf(input))
  } catch {
    return null
  }
}

function textOf(input: Exclude<FetchInput, string | URL>): string {
  return typeof input.url === 'string' ? input.url : String(input)
}

/** Nothing is sent then, and `fetch` says so itself. */
function isAborted([input, init]: Arguments): boolean {
  return (init?.signal ?? (input as Partial<Request>).signal)?.aborted === true
}

function named<F extends Fetch>(fn: F, { name, length }: Fetch): F {
  return Object.defineProperties(fn, { name: { value: name }, length: { value: length } })
}
