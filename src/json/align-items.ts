/** Indexes of two items that belong together; null where the other side has none. */
export type Pair = readonly [left: number | null, right: number | null]

/**
 * Which items of two lists belong together, in order. By index, unless taking some as inserted or removed leaves
 * fewer pairs that differ. Equal ends are set aside first, so the usual change costs one pass; only a small middle is
 * aligned, since that costs the product of both lengths.
 */
export function alignItems<T>(
  left: readonly T[],
  right: readonly T[],
  isSame: (a: T, b: T) => boolean,
): Pair[] {
  const shorter = Math.min(left.length, right.length)
  let head = 0
  while (head < shorter && isSame(left[head]!, right[head]!)) head++
  let tail = 0
  while (tail < shorter - head && isSame(left.at(-1 - tail)!, right.at(-1 - tail)!)) tail++
  const middle = { left: left.slice(head, left.length - tail), right: right.slice(head, right.length - tail) }
  const pairs = alignMiddle(middle.left, middle.right, isSame).map(pair => shift(pair, head, head))
  const ends = Array.from(
    { length: tail },
    (_, at): Pair => [left.length - tail + at, right.length - tail + at],
  )
  return [...byIndex(head, head), ...pairs, ...ends]
}

/** Beyond this many comparisons the middle is compared by index. */
const MAX_COMPARISONS = 10_000

function alignMiddle<T>(left: readonly T[], right: readonly T[], isSame: (a: T, b: T) => boolean): Pair[] {
  const plain = byIndex(left.length, right.length)
  if (left.length * right.length > MAX_COMPARISONS || left.length === 0 || right.length === 0) return plain
  const same = left.map(a => right.map(b => isSame(a, b)))
  const aligned = fillGaps(longestCommon(same), left.length, right.length)
  const differing = (pairs: readonly Pair[]): number =>
    pairs.filter(([a, b]) => !same[a ?? -1]?.[b ?? -1]).length
  return differing(aligned) < differing(plain) ? aligned : plain
}

function byIndex(left: number, right: number): Pair[] {
  return Array.from({ length: Math.max(left, right) }, (_, at) => [
    at < left ? at : null,
    at < right ? at : null,
  ])
}

/** The longest common subsequence as pairs of indexes, in order. */
function longestCommon(same: readonly (readonly boolean[])[]): (readonly [number, number])[] {
  const width = same[0]!.length
  const lengths = Array.from({ length: same.length + 1 }, () => new Uint16Array(width + 1))
  for (let a = same.length - 1; a >= 0; a--) {
    for (let b = width - 1; b >= 0; b--) {
      const without = Math.max(lengths[a + 1]![b]!, lengths[a]![b + 1]!)
      lengths[a]![b] = same[a]![b] ? Math.max(without, lengths[a + 1]![b + 1]! + 1) : without
    }
  }
  return walk(same, lengths)
}

function walk(
  same: readonly (readonly boolean[])[],
  lengths: readonly Uint16Array[],
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = []
  for (let a = 0, b = 0; lengths[a]![b]! > 0; ) {
    const rest = lengths[a]![b]!
    if (same[a]![b] && lengths[a + 1]![b + 1]! + 1 === rest) pairs.push([a++, b++])
    else if (lengths[a + 1]![b] === rest) a++
    else b++
  }
  return pairs
}

/** Between two common items what is left on both sides is paired by index. */
function fillGaps(common: readonly (readonly [number, number])[], left: number, right: number): Pair[] {
  const pairs: Pair[] = []
  let [a, b] = [0, 0]
  for (const [nextA, nextB] of [...common, [left, right] as const]) {
    pairs.push(...byIndex(nextA - a, nextB - b).map(pair => shift(pair, a, b)))
    if (nextA < left) pairs.push([nextA, nextB])
    ;[a, b] = [nextA + 1, nextB + 1]
  }
  return pairs
}

function shift([a, b]: Pair, left: number, right: number): Pair {
  return [a === null ? null : a + left, b === null ? null : b + right]
}
