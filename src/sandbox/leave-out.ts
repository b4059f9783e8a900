/**
 * Which children of a watched process are no part of the run: servers that it speaks to over their standard input and
 * output (MCP), whose calls are their own, and what it detaches to outlive it.
 */
import childProcess from 'node:child_process'
import { patch } from '../patch.ts'

interface SpawnOptions {
  readonly stdio?: unknown
  readonly detached?: boolean
  /** `NAME=value`. */
  envPairs?: string[]
}

/** Takes `variable` out of the environment of such children; the returned function leaves it in again. */
export function leaveOut(variable: string): () => void {
  // All that starts a child without waiting for it ends in this method.
  const place = childProcess.ChildProcess.prototype as unknown as {
    spawn: (this: unknown, options: SpawnOptions) => unknown
  }
  return patch(place, 'spawn', original => {
    return function (options) {
      if (options.detached === true || isServer(options.stdio)) {
        options.envPairs = options.envPairs?.filter(pair => !pair.startsWith(`${variable}=`)) ?? []
      }
      return original.call(this, options)
    }
  })
}

/** It was asked for pipes on both; `exec` and `execFile` ask for nothing, and `fork` for a channel. */
function isServer(stdio: unknown): boolean {
  if (!Array.isArray(stdio)) return stdio === 'pipe'
  const [input, output] = stdio as readonly unknown[]
  return isPipe(input) && isPipe(output) && !stdio.includes('ipc')
}

function isPipe(stream: unknown): boolean {
  return stream === 'pipe' || stream === 'overlapped'
}
