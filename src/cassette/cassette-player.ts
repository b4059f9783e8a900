import type { Json } from '../json/value.ts'
import type { Cassette, CassetteInput } from './cassette.ts'
import { CassetteAnswers } from './cassette-answers.ts'
import type { CallOptions } from './cassette-calls.ts'

/** What a tool gave; say which type it has. */
// biome-ignore lint/suspicious/noExplicitAny: the type of a recorded answer is the caller's to name
export type BoundTool = <T = any>(args?: object | null) => T

/**
 * Answers tool calls from a cassette, each entry once: an exact match before a subset before any, among equals the first
 * in the cassette. `order_hint` is not looked at (a `CassetteWorld` does). Constant time a call.
 */
export class CassettePlayer extends CassetteAnswers {
  /** A function for each tool of the cassette, in order of first appearance. */
  readonly tools: { readonly [tool: string]: BoundTool }

  /** Raises ShapeError for what is no cassette. */
  constructor(cassette: CassetteInput, options: CallOptions = {}) {
    super(cassette, options, ({ world }) => [...world.keys()])
    this.tools = toolsOf(this.cassette, tool => this.tool(tool))
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
