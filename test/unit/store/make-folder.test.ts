import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeFolder } from '../../../src/store/make-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'stepfork-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a folder to write to', () => {
  it('is made with those above it, and may be there already', () => {
    makeFolder(join(folder, 'a/b/c'))
    makeFolder(join(folder, 'a/b/c'))
    expect(existsSync(join(folder, 'a/b/c'))).toBe(true)
  })

  it('cannot lie below a file: a sentence names it', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => makeFolder(join(folder, 'file/x'))).toThrow('cannot make the folder')
  })

  it.runIf(existsSync('/proc/self'))('is refused where the system has none, and does not hang', () => {
    expect(() => makeFolder('/proc/stepfork/x')).toThrow('cannot make the folder /proc/stepfork')
  })
})
