import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { StepforkError } from '../errors.ts'

/**
 * Makes a folder and those above it; one that is there already is fine. Node's own recursive way goes round for ever where
 * the system refuses a folder (below /proc). Raises WRITE_FAILED.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  const above = dirname(path)
  if (above !== path) makeFolder(above)
  try {
    mkdirSync(path)
  } catch (cause) {
    // Another process may have made it in this moment.
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return
    throw new StepforkError(
      'WRITE_FAILED',
      `cannot make the folder ${path}`,
      'Name a place that you may write to.',
      { cause },
    )
  }
}
