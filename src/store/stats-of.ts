import { type Stats, statSync } from 'node:fs'

/** What stands at a path; undefined also for a path that cannot be one: too long, through a file, with a NUL in it. */
export function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}
