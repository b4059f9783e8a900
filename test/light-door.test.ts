/** What importing `stepfork` costs an agent: told by the bundler that builds the package, module by module. */
import { resolve } from 'node:path'
import { build, type Metafile } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const HEAVY = /node_modules\/(zod|commander|chalk|ora|esbuild|tsx|string-width)\//

let meta: Metafile

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/index.ts', 'src/testing.ts'],
    outdir: 'out',
    bundle: true,
    platform: 'node',
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    external: ['esbuild', 'tsx'],
    define: { __STEPFORK_VERSION__: '"0.0.0"' },
  })
  meta = metafile
})

type ImportKind = 'import-statement' | 'dynamic-import'

/** Sources that are loaded when the entry is, over imports of these kinds. */
function loaded(entry: string, kinds: readonly ImportKind[]): string[] {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    const output = meta.outputs[path]
    if (output === undefined || reached.has(path)) return
    reached.add(path)
    for (const { path: next, kind } of output.imports) if (kinds.includes(kind as ImportKind)) visit(next)
  }
  visit(Object.keys(meta.outputs).find(path => meta.outputs[path]!.entryPoint === entry)!)
  return [...reached].flatMap(path => Object.keys(meta.outputs[path]!.inputs))
}

describe("the door 'stepfork'", () => {
  it('loads no package at all, and neither reads nor writes bundles, until something is recorded', () => {
    const sources = loaded('src/index.ts', ['import-statement'])
    expect(sources).toContain('src/boundary/trace-tool.ts')
    expect(
      sources.filter(source => /node_modules|src\/(run|store|session|plan|capture)\//.test(source)),
    ).toEqual([])
  })

  it('loads neither zod nor anything of the command line to record', () => {
    const sources = loaded('src/index.ts', ['import-statement', 'dynamic-import'])
    expect(sources).toContain('src/run/record-run.ts')
    expect(sources.filter(source => HEAVY.test(source))).toEqual([])
  })

  it('is told apart by this test: what tests import does read bundles, with zod', () => {
    const sources = loaded('src/testing.ts', ['import-statement', 'dynamic-import'])
    expect(sources.some(source => /node_modules\/zod\//.test(source))).toBe(true)
  })
})
