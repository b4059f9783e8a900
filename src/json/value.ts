/** A JSON value as stepfork holds it. Integers beyond 2^53 are bigints, so that none is rounded in silence. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
