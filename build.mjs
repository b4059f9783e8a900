/**
 * Builds dist/: every entry bundled with its own dependencies (start-up counts more than anything else in a command-line
 * tool), tsx and esbuild left outside; then the type declarations. Skipped where the compiler is not installed, so that
 * `npm ci --omit=dev` works. Built aside and moved into place, so that a build that fails leaves the last good one.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
process.chdir(root)
if (!existsSync('src') || !existsSync('node_modules/typescript')) process.exit(0)

const { build } = await import('esbuild')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const shared = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: ['esbuild', 'tsx'],
  define: { __STEPFORK_VERSION__: JSON.stringify(version) },
  metafile: true,
  logLevel: 'warning',
  plugins: [{ name: 'plain-chalk', setup: plainChalk }],
}

const out = `.cache/dist-${process.pid}`
process.on('exit', () => rmSync(out, { recursive: true, force: true }))
const esm = {
  ...shared,
  outdir: out,
  format: 'esm',
  // Some of what is bundled is CommonJS and asks for Node's own modules by require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
}
// Each program in one file of its own, whatever they share: every file more costs a start a millisecond.
const lazily = /\/([a-z]+-command|report-error)\.ts$/
const programs = await build({
  ...esm,
  entryPoints: {
    cli: 'src/cli/main.ts',
    ...Object.fromEntries(commands().map(name => [name, `src/cli/${name}.ts`])),
    ora: 'ora',
    'agent/child': 'src/agent/child.ts',
    'agent/cassette-child': 'src/agent/cassette-child.ts',
  },
  plugins: [...shared.plugins, { name: 'loaded-when-called', setup: loadedWhenCalled }],
})
const doors = await build({
  ...esm,
  entryPoints: { index: 'src/index.ts', testing: 'src/testing.ts' },
  splitting: true,
  chunkNames: 'door-[hash]',
})
const commonJs = {
  ...shared,
  format: 'cjs',
  define: { ...shared.define, 'import.meta.url': '__stepfork_url' },
  banner: { js: "const __stepfork_url = require('node:url').pathToFileURL(__filename).href;" },
}
const cjs = await build({ ...commonJs, entryPoints: ['src/index.ts'], outfile: `${out}/cjs/index.cjs` })
// Loaded by --require into the Node processes of a command: so it comes first, whatever else they load.
const preload = await build({
  ...commonJs,
  entryPoints: ['src/agent/preload.ts'],
  outfile: `${out}/agent/preload.cjs`,
})
writeLicences([programs, doors, preload, cjs])
writeTypes()
moveIntoPlace()

/** The command line decides about colour by itself; chalk's own look at the terminal loads half of Node's streams. */
function plainChalk({ onResolve }) {
  onResolve({ filter: /^#supports-color$/ }, ({ resolveDir }) => ({
    path: join(resolveDir, 'vendor', 'supports-color', 'browser.js'),
  }))
}

/** The parts of the command line that are loaded when they are called. */
function commands() {
  return readdirSync('src/cli')
    .filter(name => lazily.test(`/${name}`))
    .map(name => name.slice(0, -3))
}

function loadedWhenCalled({ onResolve }) {
  onResolve({ filter: /^ora$|\.ts$/ }, ({ path, kind }) => {
    if (kind !== 'dynamic-import') return undefined
    const name = path === 'ora' ? 'ora' : lazily.exec(path)?.[1]
    return name === undefined ? undefined : { path: `./${name}.js`, external: true }
  })
}

/** What is bundled keeps its licence beside it. */
function writeLicences(results) {
  const folders = new Set(
    results.flatMap(({ metafile }) =>
      Object.keys(metafile.inputs).flatMap(
        input => /^(node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
      ),
    ),
  )
  const texts = [...folders].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`
  })
  writeFileSync(`${out}/THIRD-PARTY-LICENSES.txt`, texts.join(`\n${'-'.repeat(72)}\n\n`))
}

function writeTypes() {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', `${out}/types`], {
    stdio: 'inherit',
  })
  // The same declarations once more for `require`, where the nearest package.json says that they are CommonJS.
  mkdirSync(`${out}/cjs`, { recursive: true })
  cpSync(`${out}/types`, `${out}/cjs/types`, { recursive: true })
  keepReached(`${out}/types`, ['index', 'testing'])
  keepReached(`${out}/cjs/types`, ['index'])
  writeFileSync(`${out}/cjs/package.json`, '{ "type": "commonjs" }\n')
}

/** The compiler writes a declaration for every file that it read; users see only what the doors lead to. */
function keepReached(folder, doors) {
  const reached = new Set()
  const visit = path => {
    if (reached.has(path)) return
    reached.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.ts'/g)
    for (const [, specifier] of imports) visit(join(dirname(path), `${specifier}.d.ts`))
  }
  for (const door of doors) visit(join(folder, `${door}.d.ts`))
  for (const name of readdirSync(folder, { recursive: true }).map(name => join(folder, name)))
    if (name.endsWith('.d.ts') && !reached.has(name)) rmSync(name)
}

/** Two renames: at no moment does a program that starts find half of it. */
function moveIntoPlace() {
  const old = `${out}-old`
  if (existsSync('dist')) renameSync('dist', old)
  renameSync(out, 'dist')
  rmSync(old, { recursive: true, force: true })
}
