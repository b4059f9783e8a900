import { ReplayMismatchError } from '../errors.ts'
import type { Difference } from '../json/compare.ts'
import type { JsonObject } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { matcherDifferences } from '../match/matcher-differences.ts'
import type { Cassette } from './cassette.ts'

/** A call that no entry answers. */
export interface ReplayMiss {
  readonly tool: string
  readonly args: JsonObject
}

/** The unused entry of the same tool that is most like the call, and what is different. */
export interface NearestEntry {
  /** In `cassette.world`, from 0. */
  readonly index: number
  readonly differences: readonly Difference[]
}

/** The cassette has no answer for a call; codes `ERR_STEPFORK_DIVERGED`, or `ERR_STEPFORK_EXHAUSTED` when it had one. */
export class CassetteMismatchError extends ReplayMismatchError {
  static override readonly label: string = 'CassetteMismatchError'
  override readonly name: string = 'ReplayMismatchError'
  readonly tool: string
  readonly args: JsonObject
  readonly nearest: NearestEntry | null

  constructor({ tool, args }: ReplayMiss, found: MissFound) {
    const isExhausted = found.usedUp !== null
    const call = found.usedUp ?? found.nearest?.index ?? null
    super(
      `no cassette response for ${tool} with arguments ${writeJson(args)}`,
      {
        kind: isExhausted ? 'exhausted' : 'extra',
        call: call === null ? null : call + 1,
        live: found.live,
        label: tool,
      },
      isExhausted ? 'ERR_STEPFORK_EXHAUSTED' : 'ERR_STEPFORK_DIVERGED',
    )
    this.tool = tool
    this.args = args
    this.nearest = found.nearest
  }
}

export interface MissFound {
  /** Number of the call, from 1. */
  readonly live: number
  /** Index of a used-up entry that this call would have matched. */
  readonly usedUp: number | null
  readonly nearest: NearestEntry | null
}

/** A miss must not cost more than a glance, however long the cassette is. */
const MOST_COMPARED = 50
const MOST_PASSED = 5000

export function nearestEntry(
  { world }: Cassette,
  miss: ReplayMiss,
  isUsed: (index: number) => boolean,
): NearestEntry | null {
  let nearest: NearestEntry | null = null
  let compared = 0
  for (let index = 0; index < Math.min(world.length, MOST_PASSED) && compared < MOST_COMPARED; index++) {
    const entry = world[index]!
    if (entry.tool !== miss.tool || isUsed(index)) continue
    compared++
    const found = matcherDifferences(entry.match, miss.args)
    if (nearest === null || found.length < nearest.differences.length) nearest = { index, differences: found }
  }
  return nearest
}
