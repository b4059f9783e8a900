import { framesAbove } from '../sandbox/frames-above.ts'
import type { RawSite } from '../trace/journal.ts'

const FRAMES = 10

/** Frames of the agent's code that led to a call, the caller first; those of the boundary itself are left out. */
export function captureSite(entry: (...args: never[]) => unknown): RawSite {
  return { frames: framesAbove(entry, FRAMES) }
}
