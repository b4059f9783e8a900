import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

/** The `package.json` that a file belongs to. */
export interface PackageScope {
  readonly folder: string
  readonly name: string | null
  /** True for `"type": "module"`. */
  readonly isModule: boolean
  readonly hasExports: boolean
}

/** Reads the nearest `package.json` at or above `folder`, and keeps what it read for the life of the process. */
export function packageScope(folder: string): PackageScope | null {
  const known = scopes.get(folder)
  if (known !== undefined) return known
  const parent = dirname(folder)
  const scope = readScope(folder) ?? (parent === folder ? null : packageScope(parent))
  scopes.set(folder, scope)
  return scope
}

/** Whether TypeScript (and Node, for JavaScript) takes a file for a CommonJS one, by its ending and its package. */
export function isCommonJs(file: string): boolean {
  const extension = extname(file)
  if (extension === '.cjs' || extension === '.cts') return true
  if (extension === '.mjs' || extension === '.mts') return false
  return packageScope(dirname(file))?.isModule !== true
}

/** The nearest folder at or above `from` that has an entry of this name; null when none has. */
export function folderWith(name: string, from: string): string | null {
  if (existsSync(join(from, name))) return from
  const parent = dirname(from)
  return parent === from ? null : folderWith(name, parent)
}

const scopes = new Map<string, PackageScope | null>()

function readScope(folder: string): PackageScope | null {
  try {
    const content: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const fields = (typeof content === 'object' && content !== null ? content : {}) as Record<string, unknown>
    const name = typeof fields.name === 'string' ? fields.name : null
    return { folder, name, isModule: fields.type === 'module', hasExports: fields.exports !== undefined }
  } catch {
    // Absent, or broken: Node will say so itself when it matters.
    return null
  }
}
