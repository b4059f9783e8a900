import { isBuiltin } from 'node:module'
import { resolve } from 'node:path'
import type { BuildOptions, Metafile, PluginBuild } from 'esbuild'

type Build = PluginBuild['esbuild']['build']

/**
 * In a bundle all imports of packages come before all code of the agent: ES imports are hoisted. A file such as
 * `./env.ts`, which sets what a package reads while it loads, would then come too late. True when that can happen: some
 * file of the agent does something on being evaluated, and by the order of imports it comes before a package.
 */
export async function orderMatters(build: Build, metafile: Metafile, base: string): Promise<boolean> {
  const entry = Object.values(metafile.outputs).find(output => output.entryPoint !== undefined)!.entryPoint!
  const early = filesBeforePackages(metafile, entry)
  return early.length > 0 && (await haveEffects(build, early, base))
}

/** Own files that are evaluated before the last package, in the order of an ES graph: imports first, each file once. */
function filesBeforePackages(metafile: Metafile, entry: string): readonly string[] {
  const evaluated: string[] = []
  const seen = new Set<string>()
  let early = 0
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path, kind, external } of metafile.inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external !== true) visit(path)
      else if (!isBuiltin(path) && path !== '<runtime>') early = evaluated.length
    }
    evaluated.push(file)
  }
  visit(entry)
  return evaluated.slice(0, early).filter(file => !isVirtual(file))
}

/** A file of which nothing is left when nothing of it is used does nothing by itself: esbuild knows that. */
async function haveEffects(build: Build, files: readonly string[], base: string): Promise<boolean> {
  const { metafile } = await build({
    ...PROBE,
    absWorkingDir: base,
    stdin: {
      contents: files.map(file => `import ${JSON.stringify(resolve(base, file))}`).join('\n'),
      resolveDir: base,
    },
    plugins: [{ name: 'stepfork-probe', setup: onlyThese(new Set(files.map(file => resolve(base, file)))) }],
  })
  const [output] = Object.values(metafile.outputs)
  return Object.entries(output!.inputs).some(
    ([name, { bytesInOutput }]) => name !== '<stdin>' && bytesInOutput > 0,
  )
}

const PROBE = {
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  treeShaking: true,
  logLevel: 'silent',
  loader: { '.css': 'empty' },
} as const satisfies BuildOptions

/** What the files import is judged by itself, or is a package: here it counts for nothing. */
function onlyThese(files: ReadonlySet<string>): (build: PluginBuild) => void {
  return build => {
    build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'entry-point' || files.has(path) ? undefined : { path, external: true, sideEffects: false },
    )
  }
}

/** Files that only our own plugins put into the bundle, and `data:` URLs, which esbuild names in angle brackets. */
export function isVirtual(name: string): boolean {
  return /^(stepfork-\w+:|<)/.test(name)
}
