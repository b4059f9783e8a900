/** Names a difference that looks like the doing of clock or chance: a replay gives both again, but not in every form. */
import type { Difference } from '../json/compare.ts'
import type { Divergence } from '../outcome/outcome.ts'
import { act, type Hint } from './hints.ts'

type Drawn = 'random' | 'time' | 'elapsed'

/** One sentence a kind, for what differs in the inputs or the output; null when nothing looks like it. */
export function drawnHint(found: readonly Divergence[]): Hint | null {
  const paths: Record<Drawn, Set<string>> = { random: new Set(), time: new Set(), elapsed: new Set() }
  for (const { kind, differences } of found) {
    if (kind !== 'changed-input' && kind !== 'output-differs') continue
    for (const difference of differences) {
      const drawn = drawnKind(difference)
      if (drawn !== null) paths[drawn].add(difference.path === '' ? 'the whole value' : difference.path)
    }
  }
  const sentences = (Object.keys(paths) as Drawn[]).flatMap(kind => sentenceOf(kind, [...paths[kind]]))
  return sentences.length === 0 ? null : act(sentences.join(' '))
}

const WORDS: Record<Drawn, readonly [looks: string, help: string]> = {
  random: ['random', 'If so, pass it into the agent, or record with --seeded.'],
  time: ['like a time of the clock', 'If so, pass it into the agent.'],
  elapsed: ['like an elapsed time', 'If so, leave it out: no two runs take as long.'],
}

/** Paths that are named. */
const MOST = 3

function sentenceOf(kind: Drawn, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const [looks, help] = WORDS[kind]
  const named = paths.slice(0, MOST).join(', ')
  const more = paths.length > MOST ? ` and ${paths.length - MOST} more` : ''
  return [`${named}${more} ${paths.length === 1 ? 'looks' : 'look'} ${looks}. ${help}`]
}

function drawnKind({ path, change, recorded, actual }: Difference): Drawn | null {
  if (change !== 'changed') return null
  if (typeof recorded === 'number' && typeof actual === 'number') return kindOfNumbers(path, recorded, actual)
  if (typeof recorded !== 'string' || typeof actual !== 'string') return null
  return kindOfTexts(recorded.slice(0, LONGEST), actual.slice(0, LONGEST))
}

/** Of a text; behind it there is nothing to tell that stands not before it. */
const LONGEST = 20_000

const DURATIONS: readonly string[] = ['ms', 'millis', 'elapsed', 'duration', 'took', 'latency', 'seconds']

function kindOfNumbers(path: string, recorded: number, actual: number): Drawn | null {
  if (isEpoch(recorded) && isEpoch(actual)) return 'time'
  if (wordsIn(path.slice(path.lastIndexOf('/') + 1)).some(word => DURATIONS.includes(word))) return 'elapsed'
  return isFraction(recorded) && isFraction(actual) ? 'random' : null
}

/** `elapsedMs` and `elapsed_ms` are two words each. */
function wordsIn(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

/** Seconds or milliseconds since 1970, from 2001 to 2096. */
function isEpoch(value: number): boolean {
  return (value >= 1e9 && value < 4e9) || (value >= 1e12 && value < 4e12)
}

/** As `Math.random()` gives it. */
function isFraction(value: number): boolean {
  return value > 0 && value < 1 && String(value).length >= 14
}

/** What stands for the parts of a text that clock and chance may have given. */
const PARTS: readonly (readonly [Drawn, RegExp])[] = [
  ['random', /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi],
  ['time', /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g],
  ['elapsed', /\b\d+(?:\.\d+)?\s?(?:ms|s|sec|seconds)\b/g],
  ['time', /\b1\d{9}(?:\d{3})?\b/g],
  ['random', /(?<![0-9a-z])(?=[0-9a-z]*\d)[0-9a-f]{8,64}(?![0-9a-z])/gi],
  ['random', /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{16,64}(?![\w-])/g],
]

/** The first kind of part that differs, when nothing else does. */
function kindOfTexts(recorded: string, actual: string): Drawn | null {
  let [left, right] = [recorded, actual]
  let kind: Drawn | null = null
  for (const [drawn, pattern] of PARTS) {
    const [before, after] = [left.match(pattern) ?? [], right.match(pattern) ?? []]
    if (before.length === after.length && before.some((part, at) => part !== after[at])) kind ??= drawn
    left = left.replace(pattern, `<${drawn}>`)
    right = right.replace(pattern, `<${drawn}>`)
  }
  return left === right ? kind : null
}
