/** Hashes of what a model was asked, by which a replay notices that an agent asks something else. */
import { snapshot } from '../json/snapshot.ts'
import type { Json } from '../json/value.ts'
import { liveKey } from '../match/match-keys.ts'
import { spokenMessage } from './spoken-message.ts'

/** What a model is asked: any JSON members, in the shape of whatever API the agent uses. */
export interface TurnRequest {
  /** Hashes that the caller made; if not there, they are made of the other members. */
  readonly promptHash?: string
  readonly paramsHash?: string
  readonly [member: string]: unknown
}

export interface RequestHashes {
  readonly promptHash: string
  readonly paramsHash: string
}

/** Says that a hash is of our making, and in which way it was made. */
const OURS = 'stepfork-1:'

/** What the model reads; all else is a parameter. */
const PROMPT = new Set(['messages', 'prompt', 'system', 'instructions', 'input', 'contents'])

/** How an answer travels, not what it says: the same turn may be asked for whole or as a stream. */
const NEITHER = new Set([
  'promptHash',
  'paramsHash',
  'stream',
  'stream_options',
  'abortSignal',
  'signal',
  'headers',
  'timeout',
  'includeRawChunks',
])

/** Raises NOT_JSON for a member that is none. */
export function requestHashes(request: TurnRequest): RequestHashes {
  const names = Object.keys(request).filter(name => !NEITHER.has(name))
  const prompt = names.filter(name => PROMPT.has(name))
  const params = names.filter(name => !PROMPT.has(name))
  return {
    promptHash:
      request.promptHash ?? hashOf(Object.fromEntries(prompt.map(name => [name, spoken(request[name])]))),
    paramsHash: request.paramsHash ?? hashOf(Object.fromEntries(params.map(name => [name, request[name]]))),
  }
}

function spoken(member: unknown): Json | undefined {
  if (member === undefined) return undefined
  const copy = snapshot(member)
  return Array.isArray(copy) ? (copy as readonly Json[]).map(spokenMessage) : copy
}

/** The hash of any JSON value: `stepfork-1:` and 64 hex digits of SHA-256. */
export function hashOf(value: unknown): string {
  return OURS + liveKey(snapshot(value), { jsonTexts: false })
}

/**
 * Whether a recorded hash contradicts a live one. An empty one says nothing, and neither does one that was made in a way
 * that we do not know, unless the caller brings one made in that same way.
 */
export function contradicts(recorded: string, live: string): boolean {
  return isComparable(recorded, live) && recorded !== live
}

export function isComparable(recorded: string, live: string): boolean {
  return recorded !== '' && (isOurs(recorded) || !isOurs(live))
}

export function isOurs(hash: string): boolean {
  return hash.startsWith(OURS)
}
