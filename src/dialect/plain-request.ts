/**
 * HTTP that speaks no known dialect: its input is path, query and body. What is not compared stays out: the port, which
 * differs from run to run where a server is started for a test, headers, and the boundary of multipart bodies.
 */
import type { JsonObject } from '../json/value.ts'
import type { SentRequest } from '../trace/exchange.ts'
import { bodyContent, textOf } from './body-content.ts'
import { fieldsByName } from './fields-by-name.ts'
import { multipartFields } from './multipart.ts'

/** The environment variable that holds the address of a request; null: none. */
export type ServiceOf = (url: URL) => string | null

export function plainName({ method, url }: SentRequest, serviceOf: ServiceOf): string {
  const name = serviceOf(url)
  return `http ${method} ${name === null ? url.hostname : `\${${name}}`}`
}

export function plainInput({ url, header, body }: SentRequest): JsonObject {
  return {
    path: url.pathname,
    ...(url.search !== '' && { query: fieldsByName(url.searchParams) }),
    ...(body !== null && sentContent(header('content-type') ?? '', body)),
  }
}

/** A form is kept by its fields, under a name of its own: it is not JSON with the same members. */
function sentContent(type: string, body: Uint8Array | string): JsonObject {
  if (/^multipart\/form-data\b/i.test(type)) {
    const parts = multipartFields(type, body)
    if (parts !== null) return { parts }
  }
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const text = textOf(body)
    if (text !== null) return { form: fieldsByName(new URLSearchParams(text)) }
  }
  return bodyContent(body)
}
