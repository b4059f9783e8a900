/** What git should be told of recordings, once: on the first one in a folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { showPath } from './load/show-path.ts'

/**
 * Git must not change line ends in a recording, which its digests would show, and nobody reads it as a diff. The name says
 * that it is one in any folder.
 */
export const ATTRIBUTES = '**/*.sftrace/** -text -diff linguist-generated'

/** The file that lacks the line, relative to `cwd`; null where it is there, where there is no git, or where others lie beside. */
export function missingAttributes(bundle: string, cwd: string): string | null {
  const path = resolve(cwd, bundle)
  if (hasNeighbours(path)) return null
  const folders = foldersUp(dirname(path))
  const root = folders.findIndex(folder => existsSync(join(folder, '.git')))
  if (root === -1) return null
  const files = folders.slice(0, root + 1).map(folder => join(folder, '.gitattributes'))
  return files.some(mentionsRecordings) ? null : showPath(files.at(-1)!, cwd)
}

function hasNeighbours(path: string): boolean {
  return readdirSync(dirname(path)).some(name => name.endsWith('.sftrace') && name !== basename(path))
}

function foldersUp(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersUp(above)]
}

function mentionsRecordings(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes('sftrace')
  } catch {
    return false
  }
}
