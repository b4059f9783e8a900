/**
 * Node's permission model as far as this Node has it: files, other processes, workers and native addons are closed but for
 * what is named. It closes the network from Node 25 on; before that only the guards of sandbox/ do.
 */
import { dirname, join, parse } from 'node:path'

export interface Permissions {
  /** Files and folders. */
  readonly read: readonly string[]
  readonly write: readonly string[]
}

/** Options for node. */
export function permissionArguments({ read, write }: Permissions): readonly string[] {
  return [
    hasStableFlag() ? '--permission' : '--experimental-permission',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...read.map(path => `--allow-fs-read=${path}`),
    ...write.map(path => `--allow-fs-write=${path}`),
  ]
}

/** Else only the guards of this process's own functions do, which native code gets around. */
export function closesNetwork(): boolean {
  return nodeVersion()[0] >= 25
}

/** Where a file's packages are found: `node_modules` beside it and in every folder above. */
export function packageFolders(file: string): readonly string[] {
  const folders: string[] = []
  for (let at = dirname(file); at !== parse(at).root; at = dirname(at)) folders.push(join(at, 'node_modules'))
  return folders
}

function hasStableFlag(): boolean {
  const [major, minor] = nodeVersion()
  return major > 23 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)
}

function nodeVersion(): readonly [major: number, minor: number] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  return [major, minor]
}
