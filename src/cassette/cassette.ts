/** A cassette: the answers of a world of tools, each to be used once. The shape is that of grudge, names included. */

import type { RecordedError } from '../json/error-record.ts'
import type { Json } from '../json/value.ts'
import type { Matcher } from '../match/matcher.ts'

/** Normalised: every member is written, matchers in their one long spelling, deeply frozen. Made by `toCassette`. */
export interface Cassette {
  readonly task: string
  readonly world: readonly CassetteEntry[]
}

export interface CassetteEntry {
  readonly tool: string
  readonly match: Matcher
  /** What the tool answers; each call gets a copy of its own. */
  readonly response: Json
  /** Place among equals in a `CassetteWorld`; an entry without one stands at its index. */
  readonly order_hint: number | bigint | null
  /** The tool failed, and fails again with this. Only there when it did; grudge knows no such member. */
  readonly error?: RecordedError
}

/** Something with the members of a cassette, in any of the spellings that are read. */
export interface CassetteInput {
  readonly task: string
  readonly world?: readonly EntryInput[]
}

export interface EntryInput {
  readonly tool: string
  readonly match: MatcherInput
  readonly response: unknown
  readonly order_hint?: number | bigint | null
  readonly error?: RecordedError | string | null
}

type Arguments = { readonly [name: string]: unknown }

export type MatcherInput =
  | { readonly exact: Arguments }
  | { readonly subset: Arguments }
  | { readonly any: unknown }
  | { readonly kind: Matcher['kind']; readonly args?: Arguments }
  | { readonly kind: Matcher['kind']; readonly value: Arguments }
  | { readonly mode: Matcher['kind']; readonly args?: Arguments; readonly value?: Arguments }
  | { readonly type: Matcher['kind']; readonly args?: Arguments; readonly value?: Arguments }
