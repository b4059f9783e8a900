import type { DeterminismLine, DrewLine, NewDeterminism, ReadLine } from '../trace/determinism.ts'
import type { Fact } from '../trace/journal.ts'

/** What goes into `x-determinism.jsonl`: a line for each label, where the journal has one for each time that it was written. */
export function determinismOf(facts: readonly Fact[]): NewDeterminism {
  const seeded = facts.find(fact => fact.kind === 'seeded')
  return { seed: seeded?.kind === 'seeded' ? seeded.seed : null, lines: determinismLines(facts) }
}

function determinismLines(facts: readonly Fact[]): DeterminismLine[] {
  const lines: DeterminismLine[] = []
  const values = new Map<string, (number | bigint)[]>()
  for (const line of facts.flatMap(fact => (fact.kind === 'determinism' ? fact.lines : []))) {
    if ('mark' in line) lines.push(line)
    else add(line)
  }
  return lines

  function add(line: ReadLine | DrewLine): void {
    const key = keyOf(line)
    const known = values.get(key)
    if (known === undefined) {
      values.set(key, [...line.values])
      lines.push({ ...line, values: values.get(key)! } as ReadLine | DrewLine)
    } else for (const value of line.values) known.push(value)
  }
}

function keyOf(line: ReadLine | DrewLine): string {
  return `${'read' in line ? line.read : line.drew}\n${line.interval}\n${line.site}`
}
