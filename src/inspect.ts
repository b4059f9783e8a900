/** The story of `inspect`: open a bundle and let the caller tell what is in it. */
import { parseJson } from './json/parse-json.ts'
import type { JsonObject } from './json/value.ts'
import { asBundle } from './partial-bundle.ts'
import { openPayloads } from './store/payloads.ts'
import { readBundle } from './store/read-bundle.ts'
import type { Bundle, Slice } from './trace/bundle.ts'

/** Throws BUNDLE_NOT_FOUND, BUNDLE_INVALID, BUNDLE_UNSUPPORTED. */
export function inspectBundle<T>(
  path: string,
  tell: (bundle: Bundle, readEvent: (line: Slice) => JsonObject) => T,
): T {
  return asBundle(path, at => {
    const bundle = readBundle(at)
    const payloads = openPayloads(at)
    try {
      return tell({ ...bundle, path }, line => parseJson(payloads.text(line)) as JsonObject)
    } finally {
      payloads.close()
    }
  })
}
