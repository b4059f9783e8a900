import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import { isStepforkError } from '../errors.ts'
import { coveredFiles, type Integrity, judgeIntegrity } from '../trace/integrity.ts'
import { openBundleFile } from './bundle-files.ts'
import { readIntegrity } from './read-metadata.ts'

/** Compares the files of a bundle with its `integrity.json`; hashes only those whose digest is not known yet. */
export function bundleIntegrity(bundlePath: string, known: ReadonlyMap<string, string>): Integrity {
  const record = readIntegrity(bundlePath)
  if ('kind' in record) return judgeIntegrity(record, known)
  const digests = coveredFiles(record).map(
    name => [name, known.get(name) ?? digestOf(bundlePath, name)] as const,
  )
  return judgeIntegrity(record, new Map(digests))
}

/** Null when there is no such file, or none that may be read. */
function digestOf(bundlePath: string, name: string): string | null {
  try {
    const fd = openBundleFile(bundlePath, name)
    return fd === null ? null : digestOfOpen(fd)
  } catch (error) {
    if (isStepforkError(error)) return null
    throw error
  }
}

function digestOfOpen(fd: number): string {
  try {
    const sha = createHash('sha256')
    const buffer = Buffer.allocUnsafe(1024 * 1024)
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer))
      sha.update(buffer.subarray(0, read))
    return sha.digest('hex')
  } finally {
    closeSync(fd)
  }
}
