/** Refuses to start other processes from this one, where no guard of this one would hold. */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { patch } from '../patch.ts'
import { blockedError } from './blocked-error.ts'

const STARTING = ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync'] as const

/** The returned function allows it again. */
export function closeProcesses(onBlocked: (what: string) => void): () => void {
  const functions = childProcess as unknown as { [name: string]: (...args: unknown[]) => unknown }
  const undo = STARTING.map(name =>
    patch(functions, name, () => command => {
      onBlocked(`${name} ${String(command)}`)
      throw blockedError('replay sandbox forbids starting processes', 'PermissionError')
    }),
  )
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  }
}
