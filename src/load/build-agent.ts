import { dirname, join } from 'node:path'
import type { BuildOptions, BuildResult } from 'esbuild'
import { orderMatters } from './evaluation-order.ts'
import { type ExternalPlaces, externalRule } from './external-rule.ts'
import { MODULE_GLOBALS, moduleBanner, moduleGlobals, type Prelude } from './module-globals.ts'
import { IN_ORDER_BANNER, packagesInOrder } from './packages-in-order.ts'

type Asked = BuildOptions & { metafile: true; write: false }

/** What esbuild made of an agent: one file of code (`.mjs`), its source map, and the graph of its files. */
export type BuiltAgent = BuildResult<Asked>

/** `preludes` is filled with the places where constants were put into source files. Rejects as esbuild does. */
export async function buildAgent(
  places: ExternalPlaces,
  preludes: Map<string, Prelude>,
): Promise<BuiltAgent> {
  const esbuild = await import('esbuild')
  const build = (inOrder: boolean): Promise<BuiltAgent> =>
    esbuild.build<Asked>({ ...SETTINGS, ...optionsFor(places, preludes, inOrder) })
  const built = await build(false)
  if (!(await orderMatters(esbuild.build, built.metafile, dirname(places.agent)))) return built
  // A `require` of one of the agent's ES files forbids any top-level await in it: then the plain bundle has to do.
  return build(true).catch(() => built)
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
function optionsFor(places: ExternalPlaces, preludes: Map<string, Prelude>, inOrder: boolean) {
  const banner = moduleBanner(places.agent)
  return {
    entryPoints: [places.agent],
    absWorkingDir: dirname(places.agent),
    outfile: join(places.output, 'agent.mjs'),
    banner: { js: inOrder ? banner + IN_ORDER_BANNER : banner },
    plugins: [
      ...(inOrder ? [packagesInOrder()] : []),
      moduleGlobals(preludes),
      externalRule(places, inOrder),
    ],
  } satisfies BuildOptions
}
