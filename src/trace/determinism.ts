/**
 * The sidecar `x-determinism.jsonl`: what clock and chance gave to the agent's own code, by label, so that a replay can give
 * it again. First line a header. A label is the API and its size, the interval (number of the last delivery before it, 0
 * before the first) and the place in the code; of equal labels the n-th time counts. Of keys, tokens and ids only *marks*
 * are kept: where in the payloads a drawn value stands. Optional; described in docs/format.md.
 */

export interface DeterminismHeader {
  readonly format: 'stepfork-determinism'
  readonly version: 1
  /** What the bytes of `node:crypto` were made of (`record --seeded`), in hex. As secret as all that was drawn. */
  readonly seed?: string | undefined
}

/**
 * `wall`: milliseconds since the epoch; `instant`: nanoseconds since then, of Temporal; `monotone`: `performance.now()`;
 * `hrtime`: nanoseconds of `process.hrtime`.
 */
export type Clock = 'wall' | 'instant' | 'monotone' | 'hrtime'

export interface Label {
  readonly interval: number
  /** The package that asked, if any, and the function of the agent's own that it did so for; '' after a thousand in an interval. */
  readonly site: string
}

/** Values of one label, in their order. */
export interface ReadLine extends Label {
  readonly read: Clock
  readonly values: readonly (number | bigint)[]
}

export interface DrewLine extends Label {
  /** `Math.random`, or `randomInt` with its bounds. */
  readonly drew: string
  readonly values: readonly number[]
}

/** How drawn bytes are spelled in a text. */
export type Spelling = 'hex' | 'base64' | 'nanoid' | 'ulid' | 'uint32'

/** Drawn bytes stand in a payload. */
export interface MarkLine extends Label {
  readonly mark: Spelling
  /** API and size. */
  readonly drew: string
  /** The n-th draw of its label, from 0, and the byte in it with which the text begins. */
  readonly nth: number
  readonly from: number
  /** Number of the call in whose input it stands; null: the run's output. */
  readonly call: number | null
  /** JSON Pointer into that payload, and the characters of the text there. */
  readonly path: string
  readonly start: number
  readonly length: number
}

export type DeterminismLine = ReadLine | DrewLine | MarkLine

/** To be written. */
export interface NewDeterminism {
  readonly seed: string | null
  readonly lines: readonly DeterminismLine[]
}

/** As read from a bundle. */
export interface Determinism {
  readonly header: DeterminismHeader
  readonly lines: readonly DeterminismLine[]
}

/** What a replay gives again: the marks are bytes by now. */
export interface Served {
  readonly seed: string | null
  readonly read: readonly ReadLine[]
  readonly drew: readonly DrewLine[]
  readonly bytes: readonly ServedBytes[]
}

export interface ServedBytes extends Label {
  readonly drew: string
  readonly nth: number
  /** Known bytes: place and value, in turn. */
  readonly known: readonly number[]
}
