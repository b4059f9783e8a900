import type { ExchangeHead, ReadRequest } from '../trace/exchange.ts'
import { headerOf } from '../trace/header-of.ts'
import { isStreamedType } from './streamed-type.ts'

/**
 * Whether a client that sent this request can read a body of this type: a call that asks for a stream may have been lent the
 * answer to one that did not, or the other way round. Errors come whole in any case, and so may what is streamed by Google.
 */
export function suitsRequest(read: ReadRequest, head: ExchangeHead): boolean {
  if (read.kind !== 'model' || head.status >= 400) return true
  const type = headerOf(head, 'content-type')
  if (isStreamedType(type)) return read.streams
  return !read.streams || read.dialect === 'google.generate' || !/^application\/json\b/i.test(type ?? '')
}
