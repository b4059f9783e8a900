import type { ExchangeHead } from '../trace/exchange.ts'

/**
 * The head of a recorded answer as a replay hands it out: SDKs that will try again, as they did, do so without waiting.
 * They look at `retry-after-ms` first; `retry-after`, which programs read, stays as it was.
 */
export function retrySoon(head: ExchangeHead): ExchangeHead {
  if (!isRetried(head.status)) return head
  const others = head.headers.filter(([name]) => name.toLowerCase() !== 'retry-after-ms')
  return { ...head, headers: [...others, ['retry-after-ms', '1']] }
}

/** What the SDKs of the model providers try again. */
function isRetried(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}
