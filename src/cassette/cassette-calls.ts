/** What is under a player and a world: calls answered from a cassette, what was used and what was missed. */
import { StepforkError } from '../errors.ts'
import { snapshot } from '../json/snapshot.ts'
import { isJsonObject, type Json, type JsonObject, setMember } from '../json/value.ts'
import { createEntryIndex } from '../match/entry-index.ts'
import type { Cassette, CassetteEntry } from './cassette.ts'
import { CassetteMismatchError, nearestEntry, type ReplayMiss } from './mismatch.ts'
import { recordedFailure } from './recorded-failure.ts'

export interface CallOptions {
  /** Default true: a call that no entry answers throws. Else it is answered `{}`, and stands in `misses` all the same. */
  readonly strict?: boolean
  /** Told of each call before it is answered; what it throws reaches the caller. */
  readonly onCall?: (call: ReplayMiss) => void
}

export interface CassetteCalls {
  /** The recorded answer, a copy of its own; throws the recorded failure, CassetteMismatchError, USAGE, NOT_JSON. */
  call(tool: string, args: unknown): unknown
  /** Indexes of the entries in the order in which they were used. */
  readonly used: readonly number[]
  isUsed(index: number): boolean
  readonly misses: readonly ReplayMiss[]
}

/** `order` lists the indexes of the entries, those that are preferred among equals first. */
export function createCassetteCalls(
  cassette: Cassette,
  order: readonly number[],
  options: CallOptions,
): CassetteCalls {
  const entries = createEntryIndex(cassette.world, order)
  const used: number[] = []
  const isUsed = new Uint8Array(cassette.world.length)
  const misses: ReplayMiss[] = []
  let calls = 0
  return {
    call: (tool, args) => {
      const asked = { tool, args: argumentsOf(tool, args) }
      calls++
      options.onCall?.(asked)
      const index = entries.find(tool, asked.args)
      if (index === null) return miss(asked)
      entries.use(index)
      used.push(index)
      isUsed[index] = 1
      return answer(cassette.world[index]!)
    },
    used,
    isUsed: index => isUsed[index] === 1,
    misses,
  }

  function miss(asked: ReplayMiss): unknown {
    misses.push(asked)
    if (options.strict === false) return {}
    throw new CassetteMismatchError(asked, {
      live: calls,
      usedUp: entries.last(asked.tool, asked.args),
      nearest: nearestEntry(cassette, asked, index => isUsed[index] === 1),
    })
  }
}

/** An object or nothing: a list or a text would be taken for no arguments elsewhere, and hide a mistake. */
function argumentsOf(tool: string, args: unknown): JsonObject {
  const copy = args === undefined || args === null ? {} : snapshot(args)
  if (isJsonObject(copy)) return copy
  throw new StepforkError(
    'USAGE',
    `the arguments of ${tool} must be one object`,
    'Name them, as in call("search", { query: "tides" }).',
  )
}

function answer({ response, error }: CassetteEntry): unknown {
  if (error !== undefined) throw recordedFailure(error)
  return forAgent(response)
}

/** As JSON.parse would give it: an agent that dumps what it got into its next prompt could not write a bigint. */
function forAgent(value: Json): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(forAgent)
  const copy: Record<string, unknown> = {}
  for (const key in value) setMember(copy, key, forAgent((value as JsonObject)[key]!))
  return copy
}
