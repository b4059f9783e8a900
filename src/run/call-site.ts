import type { RawSite } from '../trace/journal.ts'

const FRAMES = 10

/** Frames of the agent's code that led to a call, the caller first; those of the boundary itself are left out. */
export function captureSite(entry: (...args: never[]) => unknown): RawSite {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, entry)
  Error.stackTraceLimit = before
  const lines = (holder.stack ?? '').split('\n').slice(1)
  return { frames: lines.map(line => line.trim()) }
}
