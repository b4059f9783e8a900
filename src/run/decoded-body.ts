import { createRequire } from 'node:module'
import type * as zlib from 'node:zlib'

const require = createRequire(import.meta.url)

/** What unpacks to more is no answer to an agent, and would fill the memory: it stays packed. */
const MOST_BYTES = 2 ** 28

/** A packed body, unpacked as far as it goes; null when it is not packed, or cannot be unpacked. */
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
  const { brotliDecompressSync, constants, gunzipSync, inflateSync, inflateRawSync } =
    require('node:zlib') as typeof zlib
  // An answer may break off in the middle: packed, nobody could find a secret in it.
  const deflated = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MOST_BYTES }
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, deflated)
    case 'br':
      return brotliDecompressSync(bytes, {
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
        maxOutputLength: MOST_BYTES,
      })
    case 'deflate':
      // Some servers send it without its header.
      return (bytes[0]! & 0x0f) === 0x08 ? inflateSync(bytes, deflated) : inflateRawSync(bytes, deflated)
    default:
      throw new Error(`unknown content-encoding ${packing}`)
  }
}
