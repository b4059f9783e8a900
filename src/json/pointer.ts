import { isJsonObject, type Json } from './value.ts'

/** A JSON Pointer (RFC 6901) from member names and list indexes; no parts give '', the whole value. */
export function pointer(parts: readonly (string | number)[]): string {
  return parts.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** What stands at a pointer that `pointer` made for this value; null where there is nothing. */
export function valueAt(value: Json, path: string): Json {
  let at: Json | undefined = value
  for (const part of path.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(key)]
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return at ?? null
}
