import { realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, isAbsolute, join, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ImportKind, OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from 'esbuild'
import { isCommonJs, packageScope } from './package-scope.ts'
import { IN_ORDER } from './packages-in-order.ts'

export interface ExternalPlaces {
  /** Absolute path of the agent: where the bundle's `require` looks from. */
  readonly agent: string
  /** Absolute path of the folder of the bundle: where its `import` looks from. */
  readonly output: string
  /** Path or URL of our own door, for an agent in whose packages stepfork is not installed. */
  readonly door: string | null
}

/** Namespace of files that stand between an import and the package that is required for it. */
const INTEROP = 'stepfork-interop'
const ASKED = Symbol('asked')
/** Node loads these by itself; everything else in `node_modules` (TypeScript, JSON without attributes) is bundled. */
const NODE_LOADS = ['.js', '.mjs', '.cjs', '.node', '.wasm', '']

/**
 * The agent's own sources are bundled; packages stay outside, so that they run as they do without us, once in the
 * process. A package is what lies in `node_modules` after symbolic links are resolved and what Node can load: a
 * workspace package whose `exports` point at TypeScript is the agent's own source. `inOrder`: see packages-in-order.ts.
 */
export function externalRule(places: ExternalPlaces, inOrder: boolean): Plugin {
  return {
    name: 'stepfork-externals',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, args =>
        args.kind === 'entry-point' || args.pluginData === ASKED
          ? undefined
          : decide(build, args, places, inOrder),
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
  inOrder: boolean,
): Promise<OnResolveResult | undefined> {
  if (isBuiltin(args.path) || args.path.startsWith('file:')) return external(args.path)
  if (isDoor(args.path)) return door(args, await ask(build, args, args.kind), places)
  if (isCompiledToRequire(args)) {
    const required = await ask(build, args, 'require-call')
    if (required !== null && staysOutside(required) && isCommonJs(required)) return interop(args, required)
  }
  const found = await ask(build, args, args.kind)
  if (found === null) return unresolved(args)
  if (!staysOutside(found)) return undefined
  const path = specifierFor(args, found, places)
  return inOrder && args.kind === 'import-statement' ? { path, namespace: IN_ORDER } : external(path)
}

/** The file that a specifier stands for, by esbuild's own rules; null when there is none. */
async function ask(build: PluginBuild, args: OnResolveArgs, kind: ImportKind): Promise<string | null> {
  const { importer, resolveDir, with: attributes } = args
  const asked = { kind, importer, resolveDir, with: attributes, pluginData: ASKED }
  const found = await build.resolve(args.path, asked)
  return found.errors.length > 0 ? null : found.path
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
  if (places.door === null) return unresolved(args)
  const own = isAbsolute(places.door) ? places.door : fileURLToPath(places.door)
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
 * Outside ES packages TypeScript turns `import` into `require`. That is more than syntax: the package is the copy that
 * other CommonJS packages have, `default` is `exports.default` of one that was itself TypeScript, and every name is
 * found. A package that is only there as an ES one is imported.
 */
function isCompiledToRequire({ kind, importer }: OnResolveArgs): boolean {
  return kind === 'import-statement' && /\.(ts|tsx|cts)$/.test(importer) && isCommonJs(importer)
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
