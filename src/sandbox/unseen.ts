/**
 * Notes, while an agent is recorded, what no boundary sees and a replay will meet: connections, which it refuses, and files,
 * which are written then as well. Nothing is changed.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOwnPort } from '../own-ports.ts'
import { patch } from '../patch.ts'
import { destinationOf, destinationText } from './destination.ts'

export interface Unseen {
  /** `db.local:5432`, or the path of a socket. */
  readonly onConnection: (address: string) => void
  /** Relative to the working directory. */
  readonly onFile: (path: string) => void
}

export function noteUnseen({ onConnection, onFile }: Unseen): () => void {
  const undo = [noteConnections(onConnection), ...noteFiles(onFile)]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.reverse()) restore()
    syncBuiltinESMExports()
  }
}

function noteConnections(tell: (address: string) => void): () => void {
  return patch(net.Socket.prototype, 'connect', original => {
    const connect = original as (...args: unknown[]) => net.Socket
    return function (this: net.Socket, ...args: unknown[]) {
      const { host, port } = destinationOf(args)
      if (!isOwnPort('tcp', host, port) && !isOfTsx(port)) tell(destinationText({ host, port }))
      return connect.apply(this, args)
    } as typeof original
  })
}

/** By which tsx talks to the Node that it has started. */
function isOfTsx(path: number | string): boolean {
  return /[\\/]tsx-[^\\/]*[\\/]\d+\.pipe$/.test(String(path))
}

const WRITING = ['appendFile', 'writeFile', 'createWriteStream'] as const

interface Functions {
  [name: string]: (...args: unknown[]) => unknown
}

function noteFiles(tell: (path: string) => void): (() => void)[] {
  const plain = fs as unknown as Functions
  const promised = fs.promises as unknown as Functions
  return WRITING.flatMap(name =>
    (
      [
        [plain, name],
        [plain, `${name}Sync`],
        [promised, name],
      ] as const
    )
      .filter(([functions, key]) => typeof functions[key] === 'function')
      .map(([functions, key]) => patch(functions, key, original => noting(original!, tell))),
  )
}

function noting(original: Functions[string], tell: (path: string) => void): Functions[string] {
  const noted = function (this: unknown, ...args: unknown[]): unknown {
    const path = fileOf(args[0])
    if (path !== null) tell(path)
    return original.apply(this, args)
  }
  return Object.assign(noted, original)
}

/** Null for what is open already, and where things are put away that nobody reads in the next run. */
function fileOf(path: unknown): string | null {
  if (typeof path !== 'string' && !(path instanceof URL)) return null
  const absolute = resolve(path instanceof URL ? fileURLToPath(path) : path)
  const isTemporary = absolute.startsWith(tmpdir() + sep) && !absolute.startsWith(process.cwd() + sep)
  const isAside = isTemporary || absolute.includes(`${sep}node_modules${sep}`)
  return isAside ? null : relative(process.cwd(), absolute)
}
