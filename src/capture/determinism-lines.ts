import type { DeterminismLine, DrewLine, NewDeterminism, ReadLine } from '../trace/determinism.ts'
import type { Fact } from '../trace/journal.ts'

/** What goes into `x-determinism.jsonl`: a line for each label, where the journal has one for each time that it was written. */
export function determinismOf(facts: readonly Fact[]): NewDeterminism {
  const seeded = facts.find(fact => fact.kind === 'seeded')
  return { seed: seeded?.kind === 'seeded' ? seeded.seed : null, lines: determinismLines(facts) }
}

function determinismLines(facts: readonly Fact[]): DeterminismLine[] {
  const lines: DeterminismLine[] = []
  const places = new Map<string, number>()
  for (const line of facts.flatMap(fact => (fact.kind === 'determinism' ? fact.lines : []))) {
    if ('mark' in line) lines.push(line)
    else add(line)
  }
  return lines

  function add(line: ReadLine | DrewLine): void {
    const key = keyOf(line)
    const place = places.get(key)
    if (place === undefined) places.set(key, lines.push(line) - 1)
    else lines[place] = merged(lines[place] as ReadLine | DrewLine, line)
  }
}

function keyOf(line: ReadLine | DrewLine): string {
  return `${'read' in line ? line.read : line.drew}\n${line.interval}\n${line.site}`
}

function merged(before: ReadLine | DrewLine, more: ReadLine | DrewLine): ReadLine | DrewLine {
  return { ...before, values: [...before.values, ...more.values] } as ReadLine | DrewLine
}
