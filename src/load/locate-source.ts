import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Place, Source } from '../trace/source.ts'
import type { AgentBundle } from './bundle-agent.ts'
import { codeFrame } from './code-frame.ts'
import { originalPosition } from './original-position.ts'
import { showPath } from './show-path.ts'
import { parseFrame } from './stack-frame.ts'
import { isUserCode } from './user-code.ts'

/** Raw frames of a call, the caller first, to the place in the user's code; null when none of them is the user's. */
export type Locator = (frames: readonly string[]) => Source | null

/**
 * Finds the line of TypeScript that made a call. `bundle` is null when the agent ran without us bundling it (tsx, a
 * command): its frames are taken as they are. Import this file only when there is something to locate.
 */
export function createLocator(bundle: AgentBundle | null, cwd: string): Locator {
  const toOriginal = originalPosition(bundle)
  const codeOf = remembered(readCode)
  return frames => {
    const [caller, outer] = userPlaces(frames, toOriginal, cwd)
    if (caller === undefined) return null
    const code = codeOf(resolve(cwd, caller.file))
    const source = { ...caller, calledFrom: outer ?? null }
    return code === null ? source : { ...source, frame: codeFrame(code, caller.line, caller.column) }
  }
}

function userPlaces(
  frames: readonly string[],
  toOriginal: ReturnType<typeof originalPosition>,
  cwd: string,
): readonly Place[] {
  return frames.flatMap(text => {
    const raw = parseFrame(text)
    const frame = raw === null ? null : toOriginal(raw)
    return frame === null || !isUserCode(frame.file) ? [] : [{ ...frame, file: showPath(frame.file, cwd) }]
  })
}

function readCode(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function remembered<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>()
  return key => {
    if (!known.has(key)) known.set(key, read(key))
    return known.get(key) as T
  }
}
