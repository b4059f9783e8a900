import type { Cassette, CassetteInput } from './cassette.ts'
import { CassetteAnswers } from './cassette-answers.ts'
import type { CallOptions } from './cassette-calls.ts'
import { type BoundTool, toolsOf } from './cassette-player.ts'

/**
 * A layer of tools for an agent that takes its world as an argument. Matches as a `CassettePlayer` does, but among equals
 * the smallest `order_hint` is used first; an entry without one stands at its index.
 */
export class CassetteWorld extends CassetteAnswers {
  /** `world.tools.search({ query })`. A name that the cassette does not know is a tool that has no answer. */
  readonly tools: { readonly [tool: string]: BoundTool }

  /** Raises ShapeError for what is no cassette. */
  constructor(cassette: CassetteInput, options: CallOptions = {}) {
    super(cassette, options, hintOrder)
    this.tools = anyTool(this.cassette, name => args => this.call(name, args))
  }

  /** Indexes of the entries used so far, in the order of the cassette. */
  override get consumedIndices(): readonly number[] {
    return Object.freeze([...super.consumedIndices].sort((a, b) => a - b))
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
