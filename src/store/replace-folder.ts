import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { StepforkError } from '../errors.ts'
import { makeFolder } from './make-folder.ts'

/**
 * Makes a folder all-or-nothing: `fill` writes into a hidden folder beside it, which is renamed into place. What was
 * there before is kept until then, and put back if that fails. Files in it for which `isOurs` is false belong to
 * somebody else and move over. Raises WRITE_FAILED and leaves nothing behind.
 */
export function replaceFolder(
  path: string,
  fill: (folder: string) => void,
  isOurs: (name: string) => boolean,
): void {
  const target = existsSync(path) ? realpathSync(path) : resolve(path)
  let fresh: string | null = null
  try {
    makeFolder(dirname(target))
    fresh = mkdtempSync(hidden(target))
    fill(fresh)
    syncFolder(fresh)
    if (existsSync(target)) swap(fresh, target, isOurs)
    else renameSync(fresh, target)
    syncFolder(dirname(target))
  } catch (cause) {
    if (fresh !== null) rmSync(fresh, { recursive: true, force: true })
    if (cause instanceof StepforkError) throw cause
    throw new StepforkError('WRITE_FAILED', `cannot write ${path}: ${(cause as Error).message}`, null, {
      cause,
    })
  }
}

/** As replaceFolder, with a folder that is filled already and lies beside it. */
export function moveFolder(fresh: string, path: string, isOurs: (name: string) => boolean): void {
  const target = realpathSync(path)
  try {
    swap(fresh, target, isOurs)
    syncFolder(dirname(target))
  } catch (cause) {
    throw new StepforkError('WRITE_FAILED', `cannot write ${path}: ${(cause as Error).message}`, null, {
      cause,
    })
  }
}

function swap(fresh: string, target: string, isOurs: (name: string) => boolean): void {
  const aside = mkdtempSync(hidden(target))
  const old = join(aside, basename(target))
  renameSync(target, old)
  try {
    renameSync(fresh, target)
  } catch (cause) {
    renameSync(old, target)
    rmdirSync(aside)
    throw cause
  }
  for (const name of readdirSync(old)) {
    if (!isOurs(name)) renameSync(join(old, name), join(target, name))
  }
  rmSync(aside, { recursive: true, force: true })
}

function hidden(target: string): string {
  return join(dirname(target), `.${basename(target)}-`)
}

/** Without it a power cut may leave the folder without its new entries. Not every system can. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
