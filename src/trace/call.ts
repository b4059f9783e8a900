/** What a call is, to every room: whom it asks, how it is answered, in which parts. */

/** Who is asked: a tool by name, or a model by provider (its API's dialect) and name. */
export type Target =
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'llm'; readonly provider: string | null; readonly model: string }

/** How a call is answered: before it returns, by a promise, or chunk by chunk. */
export type Shape = 'sync' | 'async' | 'stream'

/** The parts in which an answer comes; a plain call has an `end` only. */
export type Part = 'head' | 'chunk' | 'end'
