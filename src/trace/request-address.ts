import { isJsonObject, type Json, type JsonObject } from '../json/value.ts'

/** The input of a request over HTTP as people read one: `/now?city=Lisbon`, and what else was sent. */
export interface RequestAddress {
  readonly address: string
  readonly sent: JsonObject
}

/** Null for the input of any other tool. */
export function requestAddress(toolName: string, input: Json): RequestAddress | null {
  if (!isRequest(toolName) || !isJsonObject(input) || typeof input.path !== 'string') return null
  const { path, query, ...sent } = input
  return { address: path + queryText(query ?? null), sent }
}

export function isRequest(toolName: string): boolean {
  return /^http [A-Z]+ \S+$/.test(toolName)
}

function queryText(query: Json): string {
  if (!isJsonObject(query)) return ''
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(one => `${name}=${String(one)}`),
  )
  return `?${pairs.join('&')}`
}
