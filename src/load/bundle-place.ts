import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join } from 'node:path'
import { StepforkError } from '../errors.ts'
import { folderWith } from './package-scope.ts'
import { showPath } from './show-path.ts'

/** Where the bundled agent is written. */
export interface BundlePlace {
  /** Absolute, symbolic links resolved: frames of stacks have the resolved path. */
  readonly folder: string
  /** First part of the file names in it. */
  readonly prefix: string
  /** The folder is removed together with the bundle. */
  readonly temporary: boolean
  /** The folder is a cache of ours, in which leftovers of killed runs are swept. */
  readonly cache: boolean
}

const DAY = 24 * 60 * 60 * 1000

/**
 * Chooses a folder in which Node finds the packages that the agent finds: the cache in the nearest `node_modules`,
 * else beside the agent (a read-only `node_modules`, or Yarn without one). An agent with no packages at all, and one
 * in a read-only tree, get a folder among the temporary files; `external-rule.ts` then names packages by full path.
 *
 * @throws StepforkError `WRITE_FAILED` when none of the three can be written.
 */
export function chooseBundlePlace(agent: string): BundlePlace {
  const home = dirname(agent)
  const modules = folderWith('node_modules', home)
  const cache = modules === null ? null : join(modules, 'node_modules', '.cache', 'stepfork')
  if (cache !== null && canWrite(cache)) return inCache(realpathSync(cache), agent)
  const hasPackages = modules !== null || folderWith('.pnp.cjs', home) !== null
  const choices = hasPackages ? [beside, inTemporary] : [inTemporary, beside]
  for (const choose of choices) {
    const place = choose(agent)
    if (place !== null) return place
  }
  throw new StepforkError(
    'WRITE_FAILED',
    `The bundled agent ${showPath(agent)} can be written nowhere: not in ${showPath(cache ?? home)}, not beside it, not in ${tmpdir()}`,
    'Make one of these folders writable, or set TMPDIR to one that is',
  )
}

/**
 * The path for a bundle of this content. The hash makes it known again; the random end makes it this run's own, even
 * when another run of the agent, perhaps in another container over the same folder, is about to remove its file.
 */
export function bundlePath(place: BundlePlace, content: Uint8Array): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return join(place.folder, `${place.prefix}-${hash}-${randomBytes(4).toString('hex')}.mjs`)
}

/**
 * Writes the files of a bundle, by absolute path.
 *
 * @throws StepforkError `WRITE_FAILED`, for instance when the disk is full.
 */
export function writeBundle(place: BundlePlace, files: ReadonlyMap<string, Uint8Array>): void {
  try {
    // A name that exists already is another run's: the flag makes sure that it is never shared.
    for (const [path, content] of files) writeFileSync(path, content, { flag: 'wx' })
  } catch (error) {
    removeBundle(place, files.keys())
    const reason = error instanceof Error ? error.message : String(error)
    throw new StepforkError('WRITE_FAILED', `The bundled agent cannot be written: ${reason}`, null, {
      cause: error,
    })
  }
}

/** Removes what one run wrote, and nothing of another run that goes on. */
export function removeBundle(place: BundlePlace, paths: Iterable<string>): void {
  for (const path of paths) rmSync(path, { force: true })
  if (place.temporary) rmSync(place.folder, { recursive: true, force: true })
  if (place.cache) sweep(place.folder)
}

function inCache(folder: string, agent: string): BundlePlace {
  return { folder, prefix: stemOf(agent), temporary: false, cache: true }
}

/** Hidden, as editors and file watchers look at this folder. */
function beside(agent: string): BundlePlace | null {
  const folder = dirname(agent)
  if (!canWrite(folder)) return null
  return { folder, prefix: `.stepfork-${stemOf(agent)}`, temporary: false, cache: false }
}

/** The folder is new and private: a known name among the temporary files could be taken by somebody else. */
function inTemporary(agent: string): BundlePlace | null {
  try {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-')))
    return { folder, prefix: stemOf(agent), temporary: true, cache: false }
  } catch {
    return null
  }
}

function stemOf(agent: string): string {
  return basename(agent, extname(agent)).replace(/[^\w.-]/g, '_')
}

function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function sweep(folder: string): void {
  const before = Date.now() - DAY
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path).mtimeMs < before) rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // Somebody else sweeps at this moment: nothing is lost.
  }
}
