import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { StepforkError } from '../errors.ts'
import { nearestName } from './nearest-name.ts'
import { showPath } from './show-path.ts'

const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx']

/**
 * The absolute path of an agent file, symbolic links resolved: `import.meta.url` and the positions in stacks are
 * resolved by Node as well, and the agent's own main guard compares them.
 *
 * @throws StepforkError `AGENT_NOT_FOUND` when it is not a file, `AGENT_IMPORT_FAILED` when it is not JavaScript or
 * TypeScript.
 */
export function findAgent(file: string): string {
  const path = resolve(file)
  const stats = statOf(path)
  if (stats === null) throw notFound(path)
  if (stats.isDirectory()) throw isFolder(path)
  if (!EXTENSIONS.includes(extname(path))) throw isOtherLanguage(path)
  return realpathSync(path)
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function notFound(path: string): StepforkError {
  const near = nearestName(basename(path), loadableIn(dirname(path)))
  return new StepforkError(
    'AGENT_NOT_FOUND',
    `There is no agent file ${showPath(path)}`,
    near === null
      ? 'Give --agent the path of a TypeScript or JavaScript file'
      : `Did you mean ${showPath(resolve(dirname(path), near))}?`,
  )
}

function isFolder(path: string): StepforkError {
  const [first] = loadableIn(path)
  return new StepforkError(
    'AGENT_NOT_FOUND',
    `The agent ${showPath(path)} is a folder, not a file`,
    first === undefined
      ? 'Give --agent the path of a file'
      : `Name a file in it: ${showPath(resolve(path, first))}`,
  )
}

function isOtherLanguage(path: string): StepforkError {
  return new StepforkError(
    'AGENT_IMPORT_FAILED',
    `The agent ${showPath(path)} is not a TypeScript or JavaScript file`,
    `An agent file ends in ${EXTENSIONS.join(' ')}`,
  )
}

function loadableIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => EXTENSIONS.includes(extname(name)))
  } catch {
    return []
  }
}
