import type { EventHead, EventStatus, EventType, ReplayPolicy } from '../trace/bundle.ts'
import { hexText, readHex } from '../trace/hex-words.ts'

/**
 * Keeps the heads of a long run in flat tables: as plain objects with their strings, those of a recording of 1 GB take
 * 300 MB, so a third of that. A head in the usual form (ids of `evt_` and 32 hex digits, one digest) is a row, read
 * through an object that looks like any other head; one of another form stays the plain object that it is.
 */
export interface HeadTable {
  readonly add: (head: EventHead) => void
  /** All heads in order. Made at the end, as their objects would be copied about while the table grows. */
  readonly heads: () => EventHead[]
}

export function headTable(): HeadTable {
  const chunks: Chunk[] = []
  const odd = new Map<number, EventHead>()
  const names: Names = { texts: [], numbers: new Map() }
  let count = 0
  return {
    add: head => {
      const row = count++ % ROWS
      if (row === 0) chunks.push(emptyChunk(names))
      if (!fits(head, chunks.at(-1)!, row)) odd.set(count - 1, head)
    },
    heads: () =>
      Array.from(
        { length: count },
        (_, at) => odd.get(at) ?? rowHead(chunks[Math.floor(at / ROWS)]!, at % ROWS),
      ),
  }
}

const ROWS = 8192
/** An id, a parent's id and a digest. */
const WORDS = 4 + 4 + 8
const PARENT = 4
const DIGEST = 8

interface Chunk {
  readonly words: Uint32Array
  /** Time and offset. */
  readonly doubles: Float64Array
  /** Step, length, label and provider. */
  readonly numbers: Uint32Array
  /** Type, status, policy, and which of parent and hashes there are. */
  readonly codes: Uint8Array
  readonly names: Names
}

/** Labels and providers by number; they repeat. */
interface Names {
  readonly texts: string[]
  readonly numbers: Map<string, number>
}

function emptyChunk(names: Names): Chunk {
  return {
    words: new Uint32Array(ROWS * WORDS),
    doubles: new Float64Array(ROWS * 2),
    numbers: new Uint32Array(ROWS * 4),
    codes: new Uint8Array(ROWS * 4),
    names,
  }
}

const TYPES: readonly EventType[] = [
  'run_start',
  'llm_request',
  'llm_response',
  'tool_call',
  'tool_result',
  'state_change',
  'error',
  'run_end',
]
const STATUSES: readonly EventStatus[] = ['ok', 'error', 'skipped']
const POLICIES: readonly ReplayPolicy[] = ['frozen', 'live', 'manual', 'forbidden', 'derived']
const NO_PROVIDER = 0xffffffff
const HAS_PARENT = 1
const HAS_INPUT_HASH = 2
const HAS_OUTPUT_HASH = 4

/** Writes the head into a row; false when it is of another form. */
function fits(head: EventHead, chunk: Chunk, row: number): boolean {
  const { words } = chunk
  const { inputHash, outputHash } = head
  const digest = inputHash ?? outputHash
  if ((inputHash !== null && outputHash !== null) || head.step > 0xffffffff) return false
  if (!putId(head.id, words, row * WORDS)) return false
  if (head.parentId !== null && !putId(head.parentId, words, row * WORDS + PARENT)) return false
  if (digest !== null && !putDigest(digest, words, row * WORDS + DIGEST)) return false
  putNumbers(head, chunk, row)
  return true
}

function putNumbers(head: EventHead, { doubles, numbers, codes, names }: Chunk, row: number): void {
  doubles[row * 2] = head.time
  doubles[row * 2 + 1] = head.line.offset
  numbers[row * 4] = head.step
  numbers[row * 4 + 1] = head.line.length
  numbers[row * 4 + 2] = numberOf(head.label, names)
  numbers[row * 4 + 3] = head.provider === null ? NO_PROVIDER : numberOf(head.provider, names)
  codes[row * 4] = TYPES.indexOf(head.type)
  codes[row * 4 + 1] = STATUSES.indexOf(head.status)
  codes[row * 4 + 2] = POLICIES.indexOf(head.policy)
  codes[row * 4 + 3] =
    (head.parentId === null ? 0 : HAS_PARENT) |
    (head.inputHash === null ? 0 : HAS_INPUT_HASH) |
    (head.outputHash === null ? 0 : HAS_OUTPUT_HASH)
}

function putId(id: string, words: Uint32Array, at: number): boolean {
  return id.length === 36 && id.startsWith('evt_') && readHex(id, 4, words, at, 4)
}

function putDigest(digest: string, words: Uint32Array, at: number): boolean {
  return digest.length === 64 && readHex(digest, 0, words, at, 8)
}

function numberOf(text: string, { texts, numbers }: Names): number {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, texts.length)
  return texts.push(text) - 1
}

/** A head over one row; its own members are not enumerable, its inherited ones are those of a head. */
type RowHead = EventHead & { readonly chunk: Chunk; readonly row: number }

function rowHead(chunk: Chunk, row: number): EventHead {
  const head = Object.create(HEAD) as { chunk: Chunk; row: number }
  head.chunk = chunk
  head.row = row
  return head as RowHead
}

const HEAD: ThisType<RowHead> & EventHead = {
  get id() {
    return idAt(this, 0)
  },
  get parentId() {
    return has(this, HAS_PARENT) ? idAt(this, PARENT) : null
  },
  get step() {
    return this.chunk.numbers[this.row * 4]!
  },
  get type() {
    return TYPES[this.chunk.codes[this.row * 4]!]!
  },
  get time() {
    return this.chunk.doubles[this.row * 2]!
  },
  get status() {
    return STATUSES[this.chunk.codes[this.row * 4 + 1]!]!
  },
  get policy() {
    return POLICIES[this.chunk.codes[this.row * 4 + 2]!]!
  },
  get inputHash() {
    return has(this, HAS_INPUT_HASH) ? digestAt(this) : null
  },
  get outputHash() {
    return has(this, HAS_OUTPUT_HASH) ? digestAt(this) : null
  },
  get label() {
    return this.chunk.names.texts[this.chunk.numbers[this.row * 4 + 2]!]!
  },
  get provider() {
    return this.chunk.names.texts[this.chunk.numbers[this.row * 4 + 3]!] ?? null
  },
  get line() {
    return { offset: this.chunk.doubles[this.row * 2 + 1]!, length: this.chunk.numbers[this.row * 4 + 1]! }
  },
}

function idAt({ chunk, row }: RowHead, part: number): string {
  return `evt_${hexText(chunk.words, row * WORDS + part, 4)}`
}

function digestAt({ chunk, row }: RowHead): string {
  return hexText(chunk.words, row * WORDS + DIGEST, 8)
}

function has({ chunk, row }: RowHead, part: number): boolean {
  return (chunk.codes[row * 4 + 3]! & part) !== 0
}
