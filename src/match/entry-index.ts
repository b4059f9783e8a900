/**
 * Recorded calls with matchers, each to be used once, found by key: an exact one by the digest of its arguments, a subset
 * by the digest of what of the live arguments its outline names. A look-up costs as much as the tool has different
 * outlines, in practice one or two, and does not grow with the number of entries.
 */
import { canonicalValue } from '../json/canonical-value.ts'
import type { JsonObject } from '../json/value.ts'
import { liveKey, recordedKeys } from './match-keys.ts'
import type { Matcher } from './matcher.ts'
import { type Outline, outlineOf, project } from './projection.ts'

export interface MatchedEntry {
  readonly tool: string
  readonly match: Matcher
}

export interface EntryIndex {
  /**
   * Index of the entry that answers a call; null when none is left. An exact one comes before a subset, that before any;
   * among equals the first in `order`.
   */
  find(tool: string, args: JsonObject): number | null
  /** The entry is used up. */
  use(index: number): void
  /** The last entry that matches, used up or not; null when none ever did. */
  last(tool: string, args: JsonObject): number | null
}

/** `order` lists the indexes of the entries, those to be preferred first. */
export function createEntryIndex(entries: readonly MatchedEntry[], order: readonly number[]): EntryIndex {
  const used = new Uint8Array(entries.length)
  const tools = new Map<string, ToolEntries>()
  for (const [place, index] of order.entries()) file(tools, entries[index]!, place)
  const isFree = (place: number): boolean => used[order[place]!] === 0
  return {
    find: (tool, args) => {
      const place = find(tools.get(tool), args, queue => firstFree(queue, isFree))
      return place === null ? null : order[place]!
    },
    use: index => {
      used[index] = 1
    },
    last: (tool, args) => {
      const place = find(tools.get(tool), args, queue => queue.places.at(-1) ?? null)
      return place === null ? null : order[place]!
    },
  }
}

/** Places in the order of preference; those before `head` are used up. */
interface Queue {
  readonly places: number[]
  head: number
}

type Queues = Map<string, Queue>

interface ToolEntries {
  readonly exact: Queues
  /** One for each different outline. */
  readonly subsets: Map<string, { readonly outline: Outline; readonly queues: Queues }>
  readonly any: Queue
}

const RULES = { jsonTexts: false } as const

function file(tools: Map<string, ToolEntries>, { tool, match }: MatchedEntry, place: number): void {
  const entries = getOrAdd(tools, tool, () => ({ exact: new Map(), subsets: new Map(), any: emptyQueue() }))
  switch (match.kind) {
    case 'exact':
      addByKeys(entries.exact, match.args, place)
      break
    case 'subset': {
      const outline = outlineOf(match.args)
      const group = getOrAdd(entries.subsets, canonicalValue(outline), () => ({ outline, queues: new Map() }))
      addByKeys(group.queues, match.args, place)
      break
    }
    case 'any':
      entries.any.places.push(place)
  }
}

/** Under two keys when it holds an integer that a live call may bring as either number type. */
function addByKeys(queues: Queues, args: JsonObject, place: number): void {
  for (const key of recordedKeys(args, RULES)) getOrAdd(queues, key, emptyQueue).places.push(place)
}

function find(
  entries: ToolEntries | undefined,
  args: JsonObject,
  pick: (queue: Queue) => number | null,
): number | null {
  if (entries === undefined) return null
  return findExact(entries, args, pick) ?? findSubset(entries, args, pick) ?? pick(entries.any)
}

function findExact({ exact }: ToolEntries, args: JsonObject, pick: (queue: Queue) => number | null) {
  const queue = exact.size === 0 ? undefined : exact.get(liveKey(args, RULES))
  return queue === undefined ? null : pick(queue)
}

function findSubset({ subsets }: ToolEntries, args: JsonObject, pick: (queue: Queue) => number | null) {
  let best: number | null = null
  for (const { outline, queues } of subsets.values()) {
    const queue = queues.get(liveKey(project(args, outline), RULES))
    const place = queue === undefined ? null : pick(queue)
    if (place !== null && (best === null || place < best)) best = place
  }
  return best
}

function firstFree(queue: Queue, isFree: (place: number) => boolean): number | null {
  while (queue.head < queue.places.length && !isFree(queue.places[queue.head]!)) queue.head++
  return queue.places[queue.head] ?? null
}

function emptyQueue(): Queue {
  return { places: [], head: 0 }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
