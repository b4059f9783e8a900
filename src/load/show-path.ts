import { relative, sep } from 'node:path'

/** A path as a person reads it: relative to the working directory, with forward slashes on every platform. */
export function showPath(file: string, cwd: string = process.cwd()): string {
  const path = relative(cwd, file)
  const shown = path === '' ? '.' : path
  return sep === '/' ? shown : shown.split(sep).join('/')
}
