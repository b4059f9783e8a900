import type { Header, HttpAnswer } from '../trace/exchange.ts'
import type { Listener } from './dispatch-handler.ts'

/** As many bytes wait here as undici's own bodies hold. With less undici 7 breaks at answers that end with the connection. */
const ROOM = 64 * 1024

/** An answer as a dispatcher tells it, its parts pulled: what nobody reads stays in the connection. */
export interface ReceivedAnswer extends HttpAnswer {
  readonly body: AsyncIterable<Uint8Array>
  /** Known when the body has ended. */
  readonly trailers: () => readonly Header[]
}

export function receiveAnswer(
  dispatch: (listener: Listener) => void,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const parts = createParts()
  return new Promise((resolve, reject) => {
    let trailers: readonly Header[] = []
    let abort: (reason?: unknown) => void = () => {}
    const body = { [Symbol.asyncIterator]: () => parts.read(() => abort(abortError())) }
    dispatch({
      started: stop => {
        abort = stop
        if (signal.aborted) stop(signal.reason)
        else signal.addEventListener('abort', () => stop(signal.reason), { once: true })
      },
      head: (head, resume) => {
        parts.onEmpty(resume)
        resolve({ head, body, trailers: () => trailers })
        return true
      },
      part: parts.add,
      ended: last => {
        trailers = last
        parts.end()
      },
      failed: error => {
        parts.fail(error)
        reject(error)
      },
    })
  })
}

interface Waiting {
  resolve(step: IteratorResult<Uint8Array>): void
  reject(error: unknown): void
}

interface Parts {
  /** Whether there is room for more. */
  add(part: Uint8Array): boolean
  end(): void
  fail(error: unknown): void
  onEmpty(resume: () => void): void
  read(stop: () => void): AsyncIterator<Uint8Array>
}

/** Parts that came and are not yet asked for. */
function createParts(): Parts {
  const queue: Uint8Array[] = []
  let size = 0
  let waiting: Waiting | null = null
  let end: { readonly error?: unknown } | null = null
  let resume = (): void => {}
  const settle = (last: { readonly error?: unknown }): void => {
    end ??= last
    if (waiting !== null) finish(waiting, end)
    waiting = null
  }
  return {
    add: part => {
      if (waiting === null) {
        queue.push(part)
        size += part.length
        return size < ROOM
      }
      waiting.resolve({ done: false, value: part })
      waiting = null
      return true
    },
    end: () => settle({}),
    fail: error => settle({ error }),
    onEmpty: callback => {
      resume = callback
    },
    read: stop => ({
      next: () =>
        new Promise((resolve, reject) => {
          const part = queue.shift()
          size -= part?.length ?? 0
          if (part !== undefined) resolve({ done: false, value: part })
          else if (end !== null) finish({ resolve, reject }, end)
          else waiting = { resolve, reject }
          if (queue.length === 0 && end === null) resume()
        }),
      return: async () => {
        if (end === null) stop()
        settle({})
        return { done: true, value: undefined }
      },
    }),
  }
}

function finish(waiting: Waiting, end: { readonly error?: unknown }): void {
  if ('error' in end) waiting.reject(end.error)
  else waiting.resolve({ done: true, value: undefined })
}

/** What undici has for a body that nobody wants. */
export function abortError(): Error {
  return Object.assign(new Error('Request aborted'), { name: 'AbortError', code: 'UND_ERR_ABORTED' })
}
