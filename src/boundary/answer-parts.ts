import type { HttpAnswer } from '../trace/exchange.ts'

/** The body of an answer part by part; one that is whole is one part. */
export function answerParts(body: HttpAnswer['body']): AsyncIterator<Uint8Array> {
  if (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)
    return body[Symbol.asyncIterator]()
  let rest = body
  return {
    next: async () => {
      if (rest === null || rest.length === 0) return { done: true, value: undefined }
      const value = typeof rest === 'string' ? new TextEncoder().encode(rest) : rest
      rest = null
      return { done: false, value }
    },
  }
}
