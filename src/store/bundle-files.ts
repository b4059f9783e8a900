import { closeSync, lstatSync, openSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { COVERED } from '../trace/integrity.ts'
import { BundleError, issueAt, refuseBundle } from './bundle-error.ts'
import { statsOf } from './stats-of.ts'

/**
 * Checks that a path is a bundle's folder with the files it must have. Raises BUNDLE_NOT_FOUND for a path that is not
 * there, BUNDLE_INVALID for everything else.
 */
export function assertBundleFolder(path: string): void {
  const stats = statsOf(path)
  if (stats === undefined) {
    const issue = issueAt('missing_file', path, `${path} does not exist`)
    throw new BundleError(
      'BUNDLE_NOT_FOUND',
      [issue],
      'Check the path; a bundle is a folder that ends in .sftrace.',
    )
  }
  if (!stats.isDirectory()) {
    refuseBundle({ code: 'missing_file', place: path, fault: 'it is no folder, and a bundle is one' })
  }
  if (!path.replace(/[/\\]+$/, '').endsWith('.sftrace')) {
    const issue = issueAt('invalid_manifest', null, `${path} does not end in .sftrace`)
    throw new BundleError('BUNDLE_INVALID', [issue], 'A bundle is a folder that ends in .sftrace; rename it.')
  }
  assertFiles(path)
}

function assertFiles(path: string): void {
  const missing = COVERED.filter(name => lstatSync(join(path, name), { throwIfNoEntry: false }) === undefined)
  if (missing.length === 0) return
  const issues = missing.map(name => issueAt('missing_file', join(path, name), `${path} has no ${name}`))
  const hint = 'The bundle was not copied whole, or is none: copy it again, or record the run again.'
  throw new BundleError('BUNDLE_INVALID', issues, hint)
}

/** A small file of a bundle is refused beyond this size, before it is read. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** The bytes of a bundle file, null when it is not there. */
export function readBundleFile(bundlePath: string, name: string): Buffer | null {
  const fd = openBundleFile(bundlePath, name)
  if (fd === null) return null
  try {
    return readFileSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Opens a bundle file, null when it is not there. A bundle may come from anywhere: a link that leads out of its folder
 * would show some other file of this machine, and a pipe in place of a file would be waited for without end.
 */
export function openBundleFile(bundlePath: string, name: string): number | null {
  const path = join(bundlePath, name)
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link === undefined) return null
  if (link.isSymbolicLink()) assertInside(bundlePath, path)
  assertReadable(path, name, statSync(path))
  try {
    return openSync(path, 'r')
  } catch (cause) {
    const hint = 'Check who may read it.'
    return refuseBundle({ code: 'missing_file', place: path, fault: 'it cannot be read', hint, cause })
  }
}

function assertInside(bundlePath: string, path: string): void {
  const fault = 'it is a link that leads out of the bundle, and is not followed'
  const hint = 'Replace the link by the file itself.'
  try {
    const target = relative(realpathSync(bundlePath), realpathSync(path))
    if (target !== '..' && !target.startsWith(`..${sep}`)) return
  } catch (cause) {
    refuseBundle({ code: 'missing_file', place: path, fault: 'it is a link to nothing', hint, cause })
  }
  refuseBundle({ code: 'missing_file', place: path, fault, hint })
}

function assertReadable(path: string, name: string, stats: Stats): void {
  if (!stats.isFile()) refuseBundle({ code: 'missing_file', place: path, fault: 'it is no file' })
  if (name.endsWith('.json') && stats.size > MAX_FILE_BYTES) {
    refuseBundle({ code: 'invalid_manifest', place: path, fault: 'it is larger than 256 MiB' })
  }
}
