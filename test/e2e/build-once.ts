/** Before the end-to-end tests: builds dist/ when a source file is newer, as the tests run what users run. */
import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export default function buildOnce(): void {
  const built = statSync(join(ROOT, 'dist/cli.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (newestSource() > built) execFileSync(process.execPath, [join(ROOT, 'build.mjs')], { stdio: 'inherit' })
}

function newestSource(): number {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  return Math.max(...sources.map(name => statSync(join(ROOT, 'src', name)).mtimeMs))
}
