import type { ReadRequest, SentRequest } from '../trace/exchange.ts'

/** What a request is: told by its path and body. */
export function readRequest({ method, url }: SentRequest, _hosts?: ReadonlyMap<string, string>): ReadRequest {
  return {
    kind: 'plain',
    target: { kind: 'tool', name: `http ${method} ${url.hostname}` },
    dialect: null,
    input: { path: url.pathname },
    streams: false,
  }
}
