import { basename, dirname, join, resolve } from 'node:path'
import type { BuildOptions, BuildResult, Plugin } from 'esbuild'
import { buildError } from './build-error.ts'
import { type BundlePlace, bundlePath, chooseBundlePlace, removeBundle, writeBundle } from './bundle-place.ts'
import { externalRule, INTEROP } from './external-rule.ts'
import { findAgent } from './find-agent.ts'
import { MODULE_GLOBALS, moduleBanner, moduleGlobals, type Prelude } from './module-globals.ts'

/** An agent with all of its own sources in one file that Node imports as it is. */
export interface AgentBundle {
  /** Absolute path of the agent, symbolic links resolved; what `process.argv[1]` is when it runs as a script. */
  readonly file: string
  /** Absolute path of the `.mjs` to import. */
  readonly code: string
  /** Text of the source map of `code`. */
  readonly map: string
  /** Absolute paths of the source files in it, the agent first; packages that stay outside are not among them. */
  readonly inputs: readonly string[]
  /** Names that the agent exports; null when only running it tells, as for a CommonJS file. */
  readonly exports: readonly string[] | null
  /** Where constants were put into a source file, by its path: columns behind them on that line are off by as much. */
  readonly preludes: ReadonlyMap<string, Prelude>
  /** Removes what was written. Call it once no process needs the code any more. */
  readonly dispose: () => void
}

export interface BundleOptions {
  /** Path or file URL of what `stepfork` means to an agent that has it not among its packages. */
  readonly stepforkDoor?: string
}

/**
 * Bundles a user's TypeScript or JavaScript file. Files and tsconfig are found from the file, not from the working
 * directory. A computed `import(x)` of a source file is beyond it: that needs `--loader tsx`.
 *
 * @throws StepforkError `AGENT_NOT_FOUND`; `AGENT_SYNTAX` and `AGENT_IMPORT_FAILED` with `file:line:column` of the
 * source; `WRITE_FAILED`; `INTERNAL` when esbuild itself does not start.
 */
export async function bundleAgent(file: string, options: BundleOptions = {}): Promise<AgentBundle> {
  const agent = findAgent(file)
  const place = chooseBundlePlace(agent)
  const preludes = new Map<string, Prelude>()
  const externals = externalRule({ agent, output: place.folder, door: options.stepforkDoor ?? null })
  const built = await build(agent, place, [moduleGlobals(preludes), externals]).catch(failure => {
    removeBundle(place, [])
    throw buildError(failure, { base: dirname(agent), preludes })
  })
  const { code, files, map } = namedByContent(built, place)
  writeBundle(place, files)
  return {
    file: agent,
    code,
    map,
    inputs: sourceFiles(built, agent),
    exports: exportsOf(built),
    preludes,
    dispose: () => removeBundle(place, files.keys()),
  }
}

type Asked = BuildOptions & { metafile: true; write: false }
type Built = BuildResult<Asked>

async function build(agent: string, place: BundlePlace, plugins: Plugin[]): Promise<Built> {
  const esbuild = await import('esbuild')
  return esbuild.build<Asked>({ ...SETTINGS, ...namesOf(agent, place), plugins })
}

const SETTINGS = {
  bundle: true,
  write: false,
  metafile: true,
  platform: 'node',
  format: 'esm',
  // Import attributes are of 20.10; what a lower target rewrites would no longer be the user's code.
  target: 'node20.19',
  // The comment that names the map is added when the file has its name.
  sourcemap: 'external',
  sourcesContent: false,
  keepNames: true,
  logLevel: 'silent',
  // Node's own conditions: esbuild would add `module`, which Node never takes.
  conditions: ['node-addons', 'module-sync'],
  // A file marked free of side effects still runs, as it does in Node.
  ignoreAnnotations: true,
  define: MODULE_GLOBALS,
  loader: { '.css': 'empty' },
} as const satisfies BuildOptions

/** File names in the bundle are relative to the agent, so that it is the same from every working directory. */
function namesOf(agent: string, place: BundlePlace) {
  return {
    entryPoints: [agent],
    absWorkingDir: dirname(agent),
    outfile: join(place.folder, 'agent.mjs'),
    banner: { js: moduleBanner(agent) },
  } satisfies BuildOptions
}

interface NamedFiles {
  readonly code: string
  readonly map: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

function namedByContent({ outputFiles }: Built, place: BundlePlace): NamedFiles {
  const [map, program] = ['.map', '.mjs'].map(
    ending => outputFiles.find(({ path }) => path.endsWith(ending))!,
  )
  const code = bundlePath(place, program!.contents)
  const link = `//# sourceMappingURL=${encodeURIComponent(basename(code))}.map\n`
  const files = new Map([
    [code, Buffer.concat([program!.contents, Buffer.from(link)])],
    [`${code}.map`, map!.contents],
  ])
  return { code, map: map!.text, files }
}

/** Without the files that only we put in, and without `data:` URLs, which esbuild names in angle brackets. */
function sourceFiles(built: Built, agent: string): readonly string[] {
  const names = Object.keys(built.metafile.inputs).filter(
    name => !name.startsWith(`${INTEROP}:`) && !name.startsWith('<'),
  )
  const paths = names.map(name => resolve(dirname(agent), name))
  return [agent, ...paths.filter(path => path !== agent).sort()]
}

function exportsOf({ metafile }: Built): readonly string[] | null {
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)!
  return metafile.inputs[output.entryPoint!]?.format === 'cjs' ? null : output.exports
}
