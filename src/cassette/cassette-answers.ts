import type { Json } from '../json/value.ts'
import type { Cassette, CassetteEntry, CassetteInput } from './cassette.ts'
import { type CallOptions, type CassetteCalls, createCassetteCalls } from './cassette-calls.ts'
import type { ReplayMiss } from './mismatch.ts'
import { toCassette } from './read-cassette.ts'

/** What a player and a world have in common: calls answered from a cassette, and what was used, left and missed. */
export abstract class CassetteAnswers {
  readonly cassette: Cassette
  readonly strict: boolean
  readonly #calls: CassetteCalls

  /** `order` lists the indexes of the entries, those that are preferred among equals first. */
  protected constructor(
    cassette: CassetteInput,
    options: CallOptions,
    order: (cassette: Cassette) => readonly number[],
  ) {
    this.cassette = toCassette(cassette)
    this.strict = options.strict ?? true
    this.#calls = createCassetteCalls(this.cassette, order(this.cassette), options)
  }

  /**
   * The answer of the entry that matches, a copy of its own. Throws ReplayMismatchError when none is left (unless it is
   * lenient: then it answers `{}`), and the recorded error of an entry that has one.
   */
  call<T = Json>(tool: string, args?: object | null): T {
    return this.#calls.call(tool, args) as T
  }

  /** Indexes of the entries used so far, in the order of use. */
  get consumedIndices(): readonly number[] {
    return Object.freeze([...this.#calls.used])
  }

  get consumed(): readonly CassetteEntry[] {
    return Object.freeze(this.consumedIndices.map(index => this.cassette.world[index]!))
  }

  /** Entries that no call has used, in the order of the cassette. */
  get remaining(): readonly CassetteEntry[] {
    return Object.freeze(this.cassette.world.filter((_, index) => !this.#calls.isUsed(index)))
  }

  /** Calls that no entry answered, thrown or not. */
  get misses(): readonly ReplayMiss[] {
    return structuredClone(this.#calls.misses)
  }
}
