import type { BoundaryCall } from '../boundary/slot.ts'
import { framesAbove, framesIn } from '../sandbox/frames-above.ts'
import type { RawSite } from '../trace/journal.ts'

const FRAMES = 10

/** Frames of the agent's code that led to a call, the caller first; those of the boundary itself are left out. */
export function captureSite({ entry, caller }: Pick<BoundaryCall, 'entry' | 'caller'>): RawSite {
  if (caller === undefined) return { frames: framesAbove(entry, FRAMES) }
  return { frames: framesIn(caller.stack).filter(frame => !frame.includes('(node:')) }
}
