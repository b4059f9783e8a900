/**
 * Notes what the agent starts that nobody watches: a worker thread or a child process has globals of its own, so calls made
 * there are neither recorded nor answered, and its network is open.
 */
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import workers from 'node:worker_threads'
import { patch } from '../patch.ts'

/** Told in words: `a worker thread`, `the child process git`. */
export function noteUnwatched(tell: (what: string) => void): () => void {
  const undo = [...noteChildren(tell), noteWorkers(tell)]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.reverse()) restore()
    syncBuiltinESMExports()
  }
}

type Start = (this: unknown, ...args: unknown[]) => unknown
type Place = { [name: string]: Start }

function noteChildren(tell: (what: string) => void): (() => void)[] {
  // All that starts a child without waiting for it ends in this method.
  const spawning = childProcess.ChildProcess.prototype as unknown as Place
  const waiting = childProcess as unknown as Place
  return [
    noteStart(spawning, 'spawn', ([options]) => {
      const { file, args = [] } = options as { file: string; args?: readonly string[] }
      return args[1] === '-c' ? args[2]! : file
    }),
    ...['spawnSync', 'execFileSync', 'execSync'].map(name =>
      noteStart(waiting, name, ([file]) => String(file)),
    ),
  ]

  function noteStart(place: Place, name: string, fileOf: (args: readonly unknown[]) => string): () => void {
    return patch(place, name, original => {
      return function (...args) {
        tell(`the child process ${programOf(fileOf(args))}`)
        return original!.apply(this, args)
      }
    })
  }
}

/** `/usr/bin/git status` is git: arguments may hold anything. */
function programOf(command: string): string {
  return basename(command.trim().split(/\s/, 1)[0] ?? '')
}

function noteWorkers(tell: (what: string) => void): () => void {
  return patch(
    workers,
    'Worker',
    original =>
      new Proxy(original, {
        construct: (target, args, newTarget) => {
          if (!isOfEsbuild(args)) tell('a worker thread')
          return Reflect.construct(target, args, newTarget)
        },
      }),
  )
}

/** It compiles the agent's files for the tsx loader, and runs nothing of them. */
function isOfEsbuild([file]: readonly unknown[]): boolean {
  return /[\\/]node_modules[\\/]esbuild[\\/]lib[\\/]main\.js$/.test(String(file))
}
