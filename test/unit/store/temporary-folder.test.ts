import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../../src/store/temporary-folder.ts'
import { freshPath } from './bundles.ts'

afterEach(() => vi.unstubAllEnvs())

describe('a temporary folder', () => {
  it('is new each time, and nobody else can look into it', () => {
    const folders = [temporaryFolder(), temporaryFolder()]
    expect(new Set(folders).size).toBe(2)
    for (const folder of folders) {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      rmSync(folder, { recursive: true })
    }
  })

  it('that cannot be made is told with its place and what to set, and is no fault of ours', () => {
    const nowhere = join(freshPath('nowhere'), 'tmp')
    vi.stubEnv('TMPDIR', nowhere)
    expect(temporaryFolder).toThrow(
      expect.objectContaining({
        code: 'WRITE_FAILED',
        message: `cannot make a folder for temporary files in ${nowhere}`,
        hint: 'Set TMPDIR to a folder that you may write to.',
      }),
    )
  })
})
