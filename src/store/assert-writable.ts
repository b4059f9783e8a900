import { accessSync, constants, lstatSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StepforkError } from '../errors.ts'
import { COVERED } from '../trace/integrity.ts'
import { statsOf } from './stats-of.ts'

/**
 * Checks that a bundle can be written to `path`. To be called before a run begins, so that no run is lost to an existing
 * folder. Raises BUNDLE_EXISTS when something is there that must not be replaced, USAGE for a name without `.sftrace`,
 * WRITE_FAILED when the folder above cannot be written to.
 */
export function assertWritable(path: string, overwrite = false): void {
  if (!path.replace(/[/\\]+$/, '').endsWith('.sftrace')) {
    throw new StepforkError(
      'USAGE',
      `${path} does not end in .sftrace`,
      'Name the bundle like traces/refund.sftrace.',
    )
  }
  const stats = statsOf(path)
  if (stats === undefined) assertNoLink(path)
  else if (!stats.isDirectory()) throw exists(`${path} is a file`, 'Name another bundle, or remove the file.')
  else assertReplaceable(path, overwrite)
  assertFolderWritable(path)
}

function assertNoLink(path: string): void {
  if (!isLink(path)) return
  throw exists(`${path} is a link to nothing`, 'Name another bundle, or remove the link.')
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

/** An empty folder is no bundle and may be filled; a folder that is no bundle may hold anything, and is left alone. */
function assertReplaceable(path: string, overwrite: boolean): void {
  const names = new Set(readdirSync(path))
  if (names.size === 0) return
  if (!overwrite)
    throw exists(`${path} exists already`, 'Name another bundle, or pass --overwrite to replace it.')
  const missing = COVERED.filter(name => !names.has(name))
  if (missing.length === 0) return
  throw exists(
    `${path} is no bundle: it has no ${missing[0]}`,
    'Its files are left alone; name another bundle.',
  )
}

function exists(message: string, hint: string): StepforkError {
  return new StepforkError('BUNDLE_EXISTS', message, hint)
}

function assertFolderWritable(path: string): void {
  const folder = nearestFolder(dirname(resolve(path)))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new StepforkError(
      'WRITE_FAILED',
      `cannot write to ${folder}`,
      'Name a folder that you may write to.',
      { cause },
    )
  }
}

/** Folders that are not there yet are made when the bundle is written. */
function nearestFolder(folder: string): string {
  const stats = statsOf(folder)
  if (stats?.isDirectory() || folder === dirname(folder)) return folder
  if (stats !== undefined)
    throw new StepforkError('WRITE_FAILED', `${folder} is no folder`, 'Name another bundle.')
  return nearestFolder(join(folder, '..'))
}
