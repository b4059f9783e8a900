import { realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, join, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'
import { isCommonJs, packageScope } from './package-scope.ts'

export interface ExternalPlaces {
  /** Absolute path of the agent: where the bundle's `require` looks from. */
  readonly agent: string
  /** Absolute path of the folder of the bundle: where its `import` looks from. */
  readonly output: string
  /** Path or URL of our own door, for an agent in whose packages stepfork is not installed. */
  readonly door: string | null
}

const INTEROP = 'stepfork-interop'
const ASKED = Symbol('asked')
/** Node loads these by itself; everything else in `node_modules` (TypeScript, JSON without attributes) is bundled. */
const NODE_LOADS = ['.js', '.mjs', '.cjs', '.node', '.wasm', '']

/**
 * The agent's own sources are bundled; packages stay outside, so that they run as they do without us, once in the
 * process. A package is what lies in `node_modules` after symbolic links are resolved and what Node can load: a
 * workspace package whose `exports` point at TypeScript is the agent's own source.
 */
export function externalRule(places: ExternalPlaces): Plugin {
  return {
    name: 'stepfork-externals',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, args =>
        args.kind === 'entry-point' || args.pluginData === ASKED ? undefined : decide(build, args, places),
      )
      build.onResolve({ filter: /^\..*\.node$/ }, ({ path, resolveDir }) =>
        external(resolvePath(resolveDir, path)),
      )
      build.onLoad({ filter: /.*/, namespace: INTEROP }, ({ pluginData }) => ({
        contents: `module.exports = require(${JSON.stringify(pluginData.specifier)})`,
        resolveDir: pluginData.resolveDir,
        loader: 'js',
      }))
    },
  }
}

/** Undefined leaves the file to esbuild: only then does it look for the file's own tsconfig. */
async function decide(
  build: PluginBuild,
  args: OnResolveArgs,
  places: ExternalPlaces,
): Promise<OnResolveResult | undefined> {
  if (isBuiltin(args.path) || args.path.startsWith('file:')) return external(args.path)
  const { kind, importer, resolveDir } = args
  const found = await build.resolve(args.path, {
    kind,
    importer,
    resolveDir,
    with: args.with,
    pluginData: ASKED,
  })
  const failed = found.errors.length > 0
  if (isDoor(args.path) && (!failed || places.door !== null))
    return door(args, failed ? null : found.path, places)
  if (failed) return unresolved(args)
  if (found.external) return external(args.path)
  if (!staysOutside(found.path)) return undefined
  if (wantsInterop(args, found.path)) return interop(args, found.path)
  return external(specifierFor(args, found.path, places))
}

function external(path: string): OnResolveResult {
  return { path, external: true }
}

/** Two copies of the door would share the session but not their error classes, so the installed one is not bundled. */
function door(
  args: OnResolveArgs,
  found: string | null,
  places: ExternalPlaces,
): OnResolveResult | undefined {
  if (found !== null) return external(specifierFor(args, found, places))
  const own = pathOf(places.door!)
  const file = args.path === 'stepfork' ? own : join(dirname(own), `testing${extname(own)}`)
  return external(isImport(args) ? pathToFileURL(file).href : file)
}

/** A package that is not installed: an error now for `import`, at run time for what the agent may try and catch. */
function unresolved(args: OnResolveArgs): OnResolveResult | undefined {
  return args.kind === 'import-statement' ? undefined : external(args.path)
}

function staysOutside(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file) && NODE_LOADS.includes(extname(file))
}

/**
 * TypeScript turns the `import` of a CommonJS file into `require`: `default` is then `exports.default` of a package
 * that was itself TypeScript, and every name is found. As an ES import Node would hand out `module.exports` instead.
 */
function wantsInterop(args: OnResolveArgs, file: string): boolean {
  const typed = /\.(ts|tsx|cts)$/.test(args.importer)
  return args.kind === 'import-statement' && typed && isCommonJs(args.importer) && isCommonJs(file)
}

function interop(args: OnResolveArgs, file: string): OnResolveResult {
  return { path: file, namespace: INTEROP, pluginData: { specifier: args.path, resolveDir: args.resolveDir } }
}

/**
 * The name as written when Node finds the same package by it from the place where the bundle looks; else the full path:
 * a workspace package has dependencies that the agent cannot see, and an alias means nothing to Node.
 */
function specifierFor(args: OnResolveArgs, file: string, places: ExternalPlaces): string {
  const from = isImport(args) ? places.output : dirname(places.agent)
  if (nodeFinds(args.path, file, from)) return args.path
  return isImport(args) ? pathToFileURL(file).href : file
}

function nodeFinds(specifier: string, file: string, from: string): boolean {
  const [, name, subpath] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? []
  const folder = name === undefined ? null : installedFolder(name, from)
  if (folder === null || !file.startsWith(folder + sep)) return false
  // Without `exports`, Node's import wants a subpath to be the whole file name.
  return subpath === undefined || packageScope(folder)?.hasExports === true || file === join(folder, subpath)
}

function installedFolder(name: string, from: string): string | null {
  try {
    return realpathSync(join(from, 'node_modules', name))
  } catch {
    const parent = dirname(from)
    return parent === from ? null : installedFolder(name, parent)
  }
}

function isImport(args: OnResolveArgs): boolean {
  return args.kind === 'import-statement' || args.kind === 'dynamic-import'
}

function isDoor(specifier: string): boolean {
  return specifier === 'stepfork' || specifier === 'stepfork/testing'
}

function pathOf(place: string): string {
  return isAbsolute(place) ? place : fileURLToPath(place)
}
