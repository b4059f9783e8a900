import { parse } from 'node:path'

/** The name of `names` that was probably meant by `wanted`; null when none is close. */
export function nearestName(wanted: string, names: readonly string[]): string | null {
  const sameStem = names.find(name => name !== wanted && parse(name).name === parse(wanted).name)
  if (sameStem !== undefined) return sameStem
  const limit = Math.max(1, Math.floor(wanted.length / 3))
  const ranked = names
    .map(name => ({ name, distance: editDistance(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(candidate => candidate.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name ?? null
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[to.length]!
}
