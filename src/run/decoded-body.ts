import { createRequire } from 'node:module'
import type * as zlib from 'node:zlib'

const require = createRequire(import.meta.url)

/** A packed body, unpacked; null when it is not packed, or breaks off in the middle. */
export function decodedBody(bytes: Uint8Array, encoding: string | null): Uint8Array | null {
  const names = (encoding ?? '').split(',').map(name => name.trim().toLowerCase())
  const packings = names.filter(name => name !== '' && name !== 'identity')
  if (packings.length === 0) return null
  try {
    return packings.reduceRight(unpacked, bytes)
  } catch {
    return null
  }
}

function unpacked(bytes: Uint8Array, packing: string): Uint8Array {
  // Loaded only for a body that needs it.
  const { brotliDecompressSync, gunzipSync, inflateSync, inflateRawSync } =
    require('node:zlib') as typeof zlib
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes)
    case 'br':
      return brotliDecompressSync(bytes)
    case 'deflate':
      // Some servers send it without its header.
      return (bytes[0]! & 0x0f) === 0x08 ? inflateSync(bytes) : inflateRawSync(bytes)
    default:
      throw new Error(`unknown content-encoding ${packing}`)
  }
}
