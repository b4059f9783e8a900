import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { folderWith } from './package-scope.ts'

export interface TsxArguments {
  /** For `node`, before the file. */
  readonly execArgv: readonly string[]
  /** To add to the environment. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * How to start Node so that it loads TypeScript by itself: for an agent that computes the names of the source files
 * that it imports. tsx looks for tsconfig.json in the working directory; here the one nearest to the agent counts.
 */
export function tsxArguments(file: string): TsxArguments {
  const loader = createRequire(import.meta.url).resolve('tsx')
  const folder = folderWith('tsconfig.json', dirname(resolve(file)))
  return {
    execArgv: ['--import', pathToFileURL(loader).href],
    env: folder === null ? {} : { TSX_TSCONFIG_PATH: join(folder, 'tsconfig.json') },
  }
}
