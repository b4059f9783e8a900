import { realpathSync } from 'node:fs'

/** By the file that Node runs, links resolved: `…/node_modules/npm/bin/npx-cli.js`, `.yarn/releases/yarn-4.5.0.cjs`. */
const RUNNERS = [
  /[\\/](?:npm|pnpm|yarn|corepack)[\\/](?:[^\\/]+[\\/])?(?:bin|dist|lib)[\\/][^\\/]+\.[cm]?js$/,
  /[\\/]\.yarn[\\/]releases[\\/]yarn-[^\\/]+\.[cm]?js$/,
  /[\\/]tsx[\\/]dist[\\/]cli\.[cm]?js$/,
]

/**
 * Whether a process only fetches and starts other programs: npm, npx, pnpm, yarn, corepack, and tsx, which starts a Node of
 * its own. It makes no call that is the agent's, and must reach the network. (ts-node runs the agent in its own process.)
 */
export function isPackageRunner(script: string | undefined): boolean {
  if (script === undefined) return false
  const path = realPath(script)
  return RUNNERS.some(runner => runner.test(path))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
