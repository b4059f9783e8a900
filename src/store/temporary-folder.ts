import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StepforkError } from '../errors.ts'

/** A new folder of our own among the temporary files, to be removed by the caller; its real path. Raises WRITE_FAILED. */
export function temporaryFolder(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-')))
  } catch (cause) {
    throw new StepforkError(
      'WRITE_FAILED',
      `cannot make a folder for temporary files in ${tmpdir()}`,
      'Set TMPDIR to a folder that you may write to.',
      { cause },
    )
  }
}
