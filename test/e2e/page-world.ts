/** A copy of what a reader of the pages has in front of them: the examples and the built command, in a folder of its own. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import type { Step } from './written-page.ts'

export const REPOSITORY = resolve(import.meta.dirname, '../..')

export interface PageWorld {
  readonly folder: string
  edit(step: Extract<Step, { kind: 'edit' }>): void
  write(step: Extract<Step, { kind: 'write' }>): void
  /** Exit code, and what went to both streams in the order in which it was written. */
  run(script: string, env?: NodeJS.ProcessEnv): { readonly exitCode: number | null; readonly text: string }
  dispose(): void
}

export function createPageWorld(): PageWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stepfork-page-')))
  for (const name of ['examples', 'bin'])
    cpSync(join(REPOSITORY, name), join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'package.json'), packageFile())
  for (const name of ['dist', 'node_modules']) symlinkSync(join(REPOSITORY, name), join(folder, name))
  return {
    folder,
    edit: step => editOne(folder, step),
    write: ({ file, content }) => writeFileSync(join(folder, file), content),
    run: (script, more = {}) => runScript(folder, script, more),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Without scripts: npx links the package that it stands in, and would build it first. */
function packageFile(): string {
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'))
  return JSON.stringify(manifest)
}

/** The removed lines must stand in exactly one file: else a reader would not know where. */
function editOne(folder: string, { removed, added }: Extract<Step, { kind: 'edit' }>): void {
  const files = readdirSync(join(folder, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, 'examples', name))
    .filter(file => readFileSync(file, 'utf8').includes(removed))
  const [file] = files
  if (file === undefined || files.length > 1)
    throw new Error(`${files.length} example files hold these lines:\n${removed}`)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(removed, () => added),
  )
}

/**
 * The node under test comes first, so that `npx` and `node` in the script are its. npx keeps a link to the folder that it
 * was called in, which must not stay behind in the user's cache.
 */
function runScript(
  folder: string,
  script: string,
  more: NodeJS.ProcessEnv,
): { exitCode: number | null; text: string } {
  const node = process.env.STEPFORK_NODE ?? process.execPath
  const { GITHUB_ACTIONS: _, FORCE_COLOR: __, ...env } = process.env
  const { status, stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...env,
      NO_COLOR: '1',
      PATH: [dirname(node), process.env.PATH].join(delimiter),
      npm_config_cache: join(folder, '.npm'),
      ...more,
    },
  })
  return { exitCode: status, text: stdout }
}
