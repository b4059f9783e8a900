/**
 * An HTTP exchange as it is recorded beside the call that it carried: what came back, byte for byte and part by part. The
 * call's own payloads hold what it means (the model's request, the whole answer); this is for handing the same bytes out
 * again. Written to `x-exchanges.jsonl`, described in docs/format.md.
 */
import type { Json } from '../json/value.ts'
import type { Target } from './call.ts'

export type Header = readonly [name: string, value: string]

/** Status line and headers of an answer, as the client library sees them. */
export interface ExchangeHead {
  readonly status: number
  readonly statusText: string
  /** In the order in which they came; names as they were spelled. */
  readonly headers: readonly Header[]
  /** Where the answer came from in the end, when redirects were followed below the boundary. */
  readonly url?: string | undefined
}

/** A piece of a body: its text when it is UTF-8, else its bytes. */
export type ExchangeChunk = string | { readonly base64: string }

/** How far below the agent the exchange was seen, which decides what its bytes are: `fetch` hands out decoded ones. */
export type ExchangeLayer = 'fetch' | 'undici' | 'http'

export interface Exchange {
  readonly layer: ExchangeLayer
  readonly head: ExchangeHead
  /** The body part by part; a body that is not streamed is one part. */
  readonly chunks: readonly ExchangeChunk[]
}

/** What a recording keeps of an exchange. */
export interface RecordedExchange extends Omit<Exchange, 'chunks'> {
  /** Where it was sent, without credentials. */
  readonly url: string
  /** Null where a secret lies scattered over the parts: the answer is then made of the call's redacted output. */
  readonly chunks: Exchange['chunks'] | null
  /** How the body ended: by itself, by an error, or not before the agent had enough. */
  readonly end: 'whole' | 'broken' | 'open'
}

/** A line of `x-exchanges.jsonl`. */
export interface ExchangeLine extends RecordedExchange {
  /** Id of the call's event. */
  readonly event: string
}

/** A request as it leaves the agent; its body is whole. */
export interface SentRequest {
  /** Upper case. */
  readonly method: string
  readonly url: URL
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | null
  readonly body: Uint8Array | string | null
}

/** An answer as an agent's library gets it: the parts of a body may still be to come. */
export interface HttpAnswer {
  readonly head: ExchangeHead
  /** Whole, or part by part; `return()` of an iteration that is broken off closes the connection. Null: no body. */
  readonly body: Uint8Array | string | AsyncIterable<Uint8Array> | null
}

/** What a request is, told by its path and body, never by its host. */
export interface ReadRequest {
  readonly kind: 'model' | 'plain' | 'telemetry'
  /** A model by provider (the dialect, `openai`) and name; plain HTTP as the tool `http METHOD hostname`. */
  readonly target: Target
  /** Name of the API (`openai.chat`), for assembling and making answers; null for plain HTTP. */
  readonly dialect: string | null
  readonly input: Json
  /** The answer was asked for as a stream. */
  readonly streams: boolean
}
