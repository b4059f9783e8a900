import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

/**
 * Bundling moves every file into one, so what a file knows about itself (`import.meta`, `__filename`, `__dirname`,
 * `require.main`) has to be put back. A file that asks gets a *prelude*: constants with its own values, on a line that
 * exists already, so that line numbers stay exact.
 */
export interface Prelude {
  /** Line of the source file, from 1, and the number of characters on it before the prelude. */
  readonly line: number
  readonly column: number
  readonly length: number
}

/** What esbuild puts in the place of these names; a file that declares one of them itself keeps its own. */
export const MODULE_GLOBALS = {
  'import.meta': '__stepfork_meta',
  __filename: '__stepfork_meta.filename',
  __dirname: '__stepfork_meta.dirname',
  'require.main': '__stepfork_main',
} as const

/** First line of the bundle. `require` serves what stays outside it, from the place of the agent. */
export function moduleBanner(agent: string): string {
  return [
    `import{createRequire as __stepfork_createRequire}from'node:module';`,
    `const require=__stepfork_createRequire(${JSON.stringify(agent)}),`,
    '__stepfork_metaOf=(url,filename,dirname)=>({__proto__:null,dirname,filename,url,',
    // Node itself says whether a file is the main one; here the agent's process says it by argv.
    'main:process.argv[1]===filename,',
    'resolve:to=>/^(\\.{0,2}\\/|file:)/.test(to)?new URL(to,url).href:import.meta.resolve(to)});',
  ].join('')
}

/** Adds preludes on loading, and keeps in `preludes` where they stand, by absolute path. */
export function moduleGlobals(preludes: Map<string, Prelude>): Plugin {
  return {
    name: 'stepfork-module-globals',
    setup(build) {
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: 'file' }, async ({ path }) => {
        const code = await readFile(path, 'utf8')
        if (!/\bimport\.meta\b|\b__(file|dir)name\b|\brequire\.main\b/.test(code)) return undefined
        const at = preludeOffset(code)
        const prelude = preludeFor(path, code)
        preludes.set(path, placeOf(code, at, prelude.length))
        return { contents: code.slice(0, at) + prelude + code.slice(at), loader: 'default' }
      })
    },
  }
}

/** The column of the source file, from 0, for one of the text with its prelude. */
export function withoutPrelude(prelude: Prelude | undefined, line: number, column: number): number {
  if (prelude === undefined || line !== prelude.line || column < prelude.column) return column
  return Math.max(prelude.column, column - prelude.length)
}

function preludeFor(path: string, code: string): string {
  const values = [pathToFileURL(path).href, path, dirname(path)].map(value => JSON.stringify(value))
  const main = /\brequire\.main\b/.test(code) ? mainPrelude(code) : ''
  return `;const __stepfork_meta=__stepfork_metaOf(${values.join(',')})${main};`
}

/**
 * `require.main === module` has to hold for a script. In a CommonJS file esbuild supplies `module`; in a file with
 * ES syntax, which TypeScript turns into CommonJS, nobody does.
 */
function mainPrelude(code: string): string {
  const hasModule = !/^\s*(import|export)\b(?!\s*\()/m.test(code) || /\b(const|let|var)\s+module\b/.test(code)
  const main = ',__stepfork_main=__stepfork_meta.main?module:undefined'
  return hasModule ? main : `,module={exports:{}}${main}`
}

const SHEBANG = /^\uFEFF?(?:#!.*\r?\n)?/
const DIRECTIVE = /^(?:\s|\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)*(['"])use [\w ]+\1;?/

/** After a shebang, which must be the first line, and after a directive, which must be the first statement. */
function preludeOffset(code: string): number {
  const start = SHEBANG.exec(code)![0].length
  return start + (DIRECTIVE.exec(code.slice(start))?.[0].length ?? 0)
}

function placeOf(code: string, offset: number, length: number): Prelude {
  const before = code.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1), length }
}
