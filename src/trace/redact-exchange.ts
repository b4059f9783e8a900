import type { Json } from '../json/value.ts'
import type { RecordedExchange } from './exchange.ts'
import { bytesOf } from './exchange-chunk.ts'
import { headerOf } from './header-of.ts'
import { redactBody } from './redact-http.ts'
import type { Redactor } from './redactor.ts'

/** Once more before it is written down: there may be secrets now that were not known when it passed. */
export function redactExchange<E extends RecordedExchange>(exchange: E, redactor: Redactor): E {
  const { chunks, ...rest } = exchange
  const type = headerOf(rest.head, 'content-type')
  const { value } = redactor.redact(rest as unknown as Json)
  return { ...exchange, ...(value as object), chunks: chunks && redactChunks(chunks, type, redactor) }
}

/**
 * As the body that they are, in which a name may tell that something is no secret. A part alone would be looked through as
 * any text, and `"token":"Hello"` in the likelihoods of an answer be taken for one.
 */
function redactChunks(
  chunks: NonNullable<RecordedExchange['chunks']>,
  contentType: string | null,
  redactor: Redactor,
): RecordedExchange['chunks'] {
  const bytes = Buffer.concat(chunks.map(bytesOf))
  const text = bytes.toString('utf8')
  const redacted = redactBody(text, contentType, redactor)
  return redacted === text || !Buffer.from(text).equals(bytes) ? chunks : [redacted]
}
