import type { Json } from '../json/value.ts'
import type { Cassette, CassetteEntry, CassetteInput } from './cassette.ts'
import { type CallOptions, type CassetteCalls, createCassetteCalls } from './cassette-calls.ts'
import type { ReplayMiss } from './mismatch.ts'
import { toCassette } from './read-cassette.ts'

/** What a tool gave; say which type it has. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a recorded answer is the caller's to name
export type BoundTool = <T = any>(args?: object | null) => T

/**
 * Answers tool calls from a cassette, each entry once: an exact match before a subset before any, among equals the first
 * in the cassette. `order_hint` is not looked at (a `CassetteWorld` does). Constant time a call.
 */
export class CassettePlayer {
  readonly cassette: Cassette
  readonly strict: boolean
  /** A function for each tool of the cassette, in order of first appearance. */
  readonly tools: { readonly [tool: string]: BoundTool }
  readonly #calls: CassetteCalls

  /** Raises ShapeError for what is no cassette. */
  constructor(cassette: CassetteInput, options: CallOptions = {}) {
    this.cassette = toCassette(cassette)
    this.strict = options.strict ?? true
    this.#calls = createCassetteCalls(this.cassette, [...this.cassette.world.keys()], options)
    this.tools = toolsOf(this.cassette, tool => this.tool(tool))
  }

  /**
   * The answer of the entry that matches, a copy of its own. Throws ReplayMismatchError when none is left (unless the
   * player is lenient: then it answers `{}`), and the recorded error of an entry that has one.
   */
  call<T = Json>(tool: string, args?: object | null): T {
    return this.#calls.call(tool, args) as T
  }

  invoke<T = Json>(tool: string, args?: object | null): T {
    return this.call<T>(tool, args)
  }

  /** `call` as a function on its own, for what wants a dispatcher. */
  get callable(): <T = Json>(tool: string, args?: object | null) => T {
    return (tool, args) => this.call(tool, args)
  }

  /** A tool as a function; the cassette need not know it. */
  tool(name: string): BoundTool {
    return args => this.call(name, args)
  }

  getTool(name: string): BoundTool {
    return this.tool(name)
  }

  /** Indexes of the entries used so far, in the order of use. */
  get consumedIndices(): readonly number[] {
    return Object.freeze([...this.#calls.used])
  }

  get consumed(): readonly CassetteEntry[] {
    return Object.freeze(this.#calls.used.map(index => this.cassette.world[index]!))
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

/** A player's `call`, for what wants a function only. */
export function playCassette(cassette: CassetteInput, options: CallOptions = {}): CassettePlayer['callable'] {
  return new CassettePlayer(cassette, options).callable
}

/** No prototype: a tool may be called `toString`. */
export function toolsOf(
  { world }: Cassette,
  make: (tool: string) => BoundTool,
): { readonly [tool: string]: BoundTool } {
  const tools: { [tool: string]: BoundTool } = Object.create(null)
  for (const { tool } of world) tools[tool] ??= make(tool)
  return Object.freeze(tools)
}
