/** A JSON Pointer (RFC 6901) from member names and list indexes; no parts give '', the whole value. */
export function pointer(parts: readonly (string | number)[]): string {
  return parts.map(part => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
