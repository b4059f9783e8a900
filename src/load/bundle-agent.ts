import { basename, dirname, resolve } from 'node:path'
import { type BuiltAgent, buildAgent } from './build-agent.ts'
import { buildError } from './build-error.ts'
import { type BundlePlace, bundlePath, chooseBundlePlace, removeBundle, writeBundle } from './bundle-place.ts'
import { isVirtual } from './evaluation-order.ts'
import { findAgent } from './find-agent.ts'
import type { Prelude } from './module-globals.ts'

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
  const places = { agent, output: place.folder, door: options.stepforkDoor ?? null }
  const built = await buildAgent(places, preludes).catch(failure => {
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

interface NamedFiles {
  readonly code: string
  readonly map: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

function namedByContent({ outputFiles }: BuiltAgent, place: BundlePlace): NamedFiles {
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

function sourceFiles({ metafile }: BuiltAgent, agent: string): readonly string[] {
  const names = Object.keys(metafile.inputs).filter(name => !isVirtual(name))
  const paths = names.map(name => resolve(dirname(agent), name))
  return [agent, ...paths.filter(path => path !== agent).sort()]
}

function exportsOf({ metafile }: BuiltAgent): readonly string[] | null {
  const output = Object.values(metafile.outputs).find(({ entryPoint }) => entryPoint !== undefined)!
  return metafile.inputs[output.entryPoint!]?.format === 'cjs' ? null : output.exports
}
