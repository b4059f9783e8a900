import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'

/** Texts are gathered up to this size before they are written. */
const CHUNK = 1024 * 1024

/**
 * Writes a new file for its owner only, piece by piece, and has the disk keep it before it returns the SHA-256 digest of
 * its bytes. An existing file is an error.
 */
export function writeNewFile(path: string, pieces: Iterable<string>): string {
  const fd = openSync(path, 'wx', 0o600)
  try {
    const sha = createHash('sha256')
    for (const chunk of gathered(pieces)) {
      sha.update(chunk)
      for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done)
    }
    fsyncSync(fd)
    return sha.digest('hex')
  } finally {
    closeSync(fd)
  }
}

function* gathered(pieces: Iterable<string>): Generator<Buffer> {
  let waiting: string[] = []
  let size = 0
  for (const piece of pieces) {
    waiting.push(piece)
    size += piece.length
    if (size < CHUNK) continue
    yield Buffer.from(waiting.join(''))
    waiting = []
    size = 0
  }
  yield Buffer.from(waiting.join(''))
}
