import { randomBytes } from 'node:crypto'
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
  /** File name without its ending, in esbuild's template language: `[hash]` is the hash of the content. */
  readonly name: string
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

/** Writes the files of a bundle and returns what removes them, and nothing that another run wrote. */
export function writeBundle(place: BundlePlace, files: ReadonlyMap<string, Uint8Array>): () => void {
  // A name that exists already is another run's: the flag makes sure that it is never shared.
  for (const [path, content] of files) writeFileSync(path, content, { flag: 'wx' })
  return () => {
    for (const path of files.keys()) rmSync(path, { force: true })
    if (place.temporary) rmSync(place.folder, { recursive: true, force: true })
    if (place.cache) sweep(place.folder)
  }
}

function inCache(folder: string, agent: string): BundlePlace {
  return { folder, name: nameFor(agent), temporary: false, cache: true }
}

function beside(agent: string): BundlePlace | null {
  const folder = dirname(agent)
  return canWrite(folder)
    ? { folder, name: `.stepfork-${nameFor(agent)}`, temporary: false, cache: false }
    : null
}

/** The folder is new and private: a known name among the temporary files could be taken by somebody else. */
function inTemporary(agent: string): BundlePlace | null {
  try {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-')))
    return { folder, name: nameFor(agent), temporary: true, cache: false }
  } catch {
    return null
  }
}

/** Two runs of one agent at the same time, even in two containers over one folder, must not share a file. */
function nameFor(agent: string): string {
  const stem = basename(agent, extname(agent)).replace(/[^\w.-]/g, '_')
  return `${stem}-[hash]-${randomBytes(4).toString('hex')}`
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
