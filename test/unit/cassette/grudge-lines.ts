/** What the real package did, a case a line (test/fixtures/grudge); split at line feeds only, as texts hold U+2028. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawMember } from '../../../src/json/read-json.ts'

// biome-ignore lint/suspicious/noExplicitAny: the lines are data of several shapes
export type GrudgeCase = any

export interface GrudgeLine {
  readonly id: string
  readonly note: string
  readonly data: GrudgeCase
  /** A member as it is written, `1.0` and all. */
  readonly text: (member: string) => string
}

export function grudgeLines(file: 'cases' | 'traces' | 'runs', kind?: string): readonly GrudgeLine[] {
  const path = join(import.meta.dirname, `../../fixtures/grudge/${file}.jsonl`)
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
  return lines
    .map(line => ({ line, data: JSON.parse(line) as GrudgeCase }))
    .filter(({ data }) => kind === undefined || data.class === kind)
    .map(({ line, data }) => ({
      id: data.id,
      note: data.note,
      data,
      text: member => rawMember(line, member)!,
    }))
}
