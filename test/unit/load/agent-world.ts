/** A folder outside the repository with agents, installed packages and a workspace package, as a user has them. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/load')

export type PackageType = 'module' | 'commonjs' | 'none'

export interface AgentWorld {
  readonly root: string
  readonly remove: () => void
}

export function createWorld(type: PackageType): AgentWorld {
  const root = emptyFolder()
  const shared = join(root, 'workspace/shared')
  cpSync(join(FIXTURES, 'agents'), root, { recursive: true })
  cpSync(join(FIXTURES, 'packages'), join(root, 'node_modules'), { recursive: true })
  cpSync(join(FIXTURES, 'workspace/shared'), shared, { recursive: true })
  cpSync(
    join(FIXTURES, 'workspace/only-in-the-workspace'),
    join(shared, 'node_modules/only-in-the-workspace'),
    { recursive: true },
  )
  mkdirSync(join(root, 'node_modules/@acme'))
  symlinkSync(shared, join(root, 'node_modules/@acme/shared'), 'junction')
  writeFiles(root, { 'package.json': JSON.stringify(type === 'none' ? {} : { type }) })
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

/** The working directories of fixtures are not the agents' folders, so that nothing is found by chance. */
export function emptyFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-load-')))
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
}
