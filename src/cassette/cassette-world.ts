import type { Json } from '../json/value.ts'
import type { Cassette, CassetteEntry, CassetteInput } from './cassette.ts'
import { type CallOptions, type CassetteCalls, createCassetteCalls } from './cassette-calls.ts'
import { type BoundTool, toolsOf } from './cassette-player.ts'
import type { ReplayMiss } from './mismatch.ts'
import { toCassette } from './read-cassette.ts'

/**
 * A layer of tools for an agent that takes its world as an argument. Matches as a `CassettePlayer` does, but among equals
 * the smallest `order_hint` is used first; an entry without one stands at its index.
 */
export class CassetteWorld {
  readonly cassette: Cassette
  readonly strict: boolean
  /** `world.tools.search({ query })`. A name that the cassette does not know is a tool that has no answer. */
  readonly tools: { readonly [tool: string]: BoundTool }
  readonly #calls: CassetteCalls

  /** Raises ShapeError for what is no cassette. */
  constructor(cassette: CassetteInput, options: CallOptions = {}) {
    this.cassette = toCassette(cassette)
    this.strict = options.strict ?? true
    this.#calls = createCassetteCalls(this.cassette, hintOrder(this.cassette), options)
    this.tools = anyTool(this.cassette, name => args => this.call(name, args))
  }

  /** As `CassettePlayer.call`. */
  call<T = Json>(tool: string, args?: object | null): T {
    return this.#calls.call(tool, args) as T
  }

  /** Indexes of the entries used so far, in the order of the cassette. */
  get consumedIndices(): readonly number[] {
    return Object.freeze([...this.#calls.used].sort((a, b) => a - b))
  }

  get consumed(): readonly CassetteEntry[] {
    return Object.freeze(this.consumedIndices.map(index => this.cassette.world[index]!))
  }

  get remaining(): readonly CassetteEntry[] {
    return Object.freeze(this.cassette.world.filter((_, index) => !this.#calls.isUsed(index)))
  }

  get misses(): readonly ReplayMiss[] {
    return structuredClone(this.#calls.misses)
  }
}

/** Indexes of the entries, those that are used first among equals in front; of equal hints the first in the cassette. */
export function hintOrder({ world }: Cassette): readonly number[] {
  const rank = (index: number): number | bigint => world[index]!.order_hint ?? index
  return [...world.keys()].sort((a, b) => compare(rank(a), rank(b)))
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `then` is not answered: an `await` of the tools would take them for a promise. `world.call('then')` works. */
function anyTool(
  cassette: Cassette,
  make: (name: string) => BoundTool,
): { readonly [tool: string]: BoundTool } {
  const world = cassette.world.filter(({ tool }) => tool !== 'then')
  return new Proxy(toolsOf({ ...cassette, world }, make), {
    get: (known, name) =>
      typeof name === 'symbol' || name === 'then' ? undefined : (known[name] ?? make(name)),
  })
}
