import type { ExchangeHead } from './exchange.ts'

/** The value of a header by its lower-case name; null when it was not sent. */
export function headerOf(head: ExchangeHead, name: string): string | null {
  return head.headers.find(([key]) => key.toLowerCase() === name)?.[1] ?? null
}
