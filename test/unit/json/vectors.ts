/** Lines of a file of conformance vectors; split at \n only, as strings may hold U+2028. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export function vectorLines(name: string): string[] {
  const path = resolve(import.meta.dirname, '../../fixtures/vectors', name)
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
}
