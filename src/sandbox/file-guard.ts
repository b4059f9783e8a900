/**
 * Closes the files of this process but for reading below some folders: what an agent's own modules lie in, which `require`
 * reads when it comes to it. Elsewhere `existsSync` finds nothing, as an agent that looks for its `.env` means no harm. A
 * patch is no wall against hostile code; Node's permission model, for files, is.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { patch } from '../patch.ts'
import { blockedError } from './blocked-error.ts'

export interface FileGuardOptions {
  /** Absolute paths of files and folders that may be read. */
  readonly readable: readonly string[]
  readonly onBlocked: (what: string) => void
}

/** Closes files; the returned function opens them again. */
export function closeFiles(options: FileGuardOptions): () => void {
  const undo = [
    ...READING.flatMap(name => guard(name, options, path => mayRead(path, options.readable))),
    ...WRITING.flatMap(name => guard(name, options, () => false)),
    patch(fs, 'existsSync', original => path => mayRead(path, options.readable) && original(path)),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  }
}

/** With their synchronous and promised sisters. `open` is one of both; the permission model sees what it is opened for. */
const READING = [
  'open',
  'openAsBlob',
  'readFile',
  'readdir',
  'opendir',
  'readlink',
  'createReadStream',
  'watch',
  'watchFile',
] as const

const WRITING = [
  'appendFile',
  'chmod',
  'chown',
  'copyFile',
  'cp',
  'createWriteStream',
  'lchown',
  'link',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'rename',
  'rm',
  'rmdir',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
] as const

interface FileFunctions {
  [name: string]: (...args: unknown[]) => unknown
}

function guard(name: string, options: FileGuardOptions, isOpen: (path: unknown) => boolean): (() => void)[] {
  const refuse = (path: unknown): Error => {
    options.onBlocked(`${name} ${pathText(path)}`)
    return blockedError('replay sandbox forbids filesystem access', 'PermissionError')
  }
  const plain = [name, `${name}Sync`].map(key => [fs as unknown as FileFunctions, key] as const)
  const promised = [[fs.promises as unknown as FileFunctions, name] as const]
  return [...plain, ...promised].flatMap(([functions, key]) =>
    typeof functions[key] !== 'function'
      ? []
      : [
          patch(functions, key, original =>
            guarded(original, isOpen, refuse, functions === (fs.promises as unknown)),
          ),
        ],
  )
}

function guarded(
  original: FileFunctions[string],
  isOpen: (path: unknown) => boolean,
  refuse: (path: unknown) => Error,
  promised: boolean,
): FileFunctions[string] {
  const replacement = function (this: unknown, ...args: unknown[]): unknown {
    if (isHandle(args[0]) || isOpen(args[0])) return original.apply(this, args)
    const error = refuse(args[0])
    if (promised) return Promise.reject(error)
    const callback = args.at(-1)
    if (typeof callback !== 'function') throw error
    process.nextTick(callback as (error: Error) => void, error)
    return undefined
  }
  return Object.assign(replacement, original)
}

/** What is open already was opened with leave. */
function isHandle(path: unknown): boolean {
  return typeof path === 'number' || (typeof path === 'object' && path !== null && 'fd' in path)
}

function mayRead(path: unknown, readable: readonly string[]): boolean {
  const absolute = resolve(pathText(path))
  return readable.some(
    root => absolute === root || absolute.startsWith(root.endsWith(sep) ? root : root + sep),
  )
}

function pathText(path: unknown): string {
  if (path instanceof URL) return fileURLToPath(path)
  return path instanceof Uint8Array ? Buffer.from(path).toString() : String(path)
}
