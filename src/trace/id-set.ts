import { hexText, readHex } from './hex-words.ts'

/**
 * A set of event ids. Both implementations make ids of `evt_` and 32 hex digits; these are kept as 16 bytes each in one
 * flat table, so that validating a long run costs neither the memory of its ids as strings nor the collector's time.
 * Any other id, and one whose place in the table is crowded (as somebody could arrange), is kept as a string.
 */
export interface IdSet {
  readonly has: (id: string) => boolean
  /** False when it was there already. */
  readonly add: (id: string) => boolean
}

/** `expected` is how many ids there will be, as far as it is known; it may be wrong. */
export function idSet(expected = 0): IdSet {
  const others = new Set<string>()
  const words = new Uint32Array(4)
  let table = emptyTable(sizeFor(Math.min(expected, MAX_EXPECTED)))
  return {
    has: id => (readWords(id, words) && isHeld(table, words)) || others.has(id),
    add: id => {
      if (table.count * 2 > table.slots.length / 4) table = grown(table, others)
      // What was crowded out of a smaller table might find a place in this one.
      if (others.size > 0 && others.has(id)) return false
      const isNew = readWords(id, words) ? insert(table, words) : CROWDED
      if (isNew !== CROWDED) return isNew
      others.add(id)
      return true
    },
  }
}

/** Open addressing; four words a slot, all zero in an empty one. */
interface Table {
  readonly slots: Uint32Array
  count: number
}

type Words = Uint32Array

/** A manifest may claim any number of events. */
const MAX_EXPECTED = 250_000

/** A power of two with room to spare. */
function sizeFor(count: number): number {
  return 2 ** Math.max(10, Math.ceil(Math.log2(count * 2 + 2)))
}

function emptyTable(size: number): Table {
  return { slots: new Uint32Array(size * 4), count: 0 }
}

const HEAD = 'evt_'
const ID_LENGTH = HEAD.length + 32

/** False for an id of another form; the id of zeros would look like an empty slot. */
function readWords(id: string, words: Words): boolean {
  if (id.length !== ID_LENGTH || !id.startsWith(HEAD)) return false
  return readHex(id, HEAD.length, words, 0, 4) && !isEmpty(words, 0)
}

function isHeld({ slots }: Table, words: Words): boolean {
  const slot = slotOf(slots, words)
  return slot !== CROWDED && !isEmpty(slots, slot)
}

/** Whether the words are new to the table; takes nothing in where it is crowded. */
function insert(table: Table, words: Words): boolean | typeof CROWDED {
  const slot = slotOf(table.slots, words)
  if (slot === CROWDED) return CROWDED
  if (!isEmpty(table.slots, slot)) return false
  for (let word = 0; word < 4; word++) table.slots[slot + word] = words[word]!
  table.count++
  return true
}

const CROWDED = -1
const MAX_PROBES = 64

/** Where these words stand, or would. */
function slotOf(slots: Words, words: Words): number {
  const mask = slots.length - 4
  let slot = (hash(words) << 2) & mask
  for (let probe = 0; probe < MAX_PROBES; probe++) {
    if (isEqual(slots, slot, words) || isEmpty(slots, slot)) return slot
    slot = (slot + 4) & mask
  }
  return CROWDED
}

function hash(words: Words): number {
  const mixed = Math.imul(words[0]! ^ words[1]! ^ words[2]! ^ words[3]!, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}

function isEmpty(slots: Words, slot: number): boolean {
  return (slots[slot]! | slots[slot + 1]! | slots[slot + 2]! | slots[slot + 3]!) === 0
}

function isEqual(slots: Words, slot: number, words: Words): boolean {
  if (slots[slot] !== words[0] || slots[slot + 1] !== words[1]) return false
  return slots[slot + 2] === words[2] && slots[slot + 3] === words[3]
}

function grown({ slots }: Table, others: Set<string>): Table {
  const larger = emptyTable(slots.length / 2)
  const words = new Uint32Array(4)
  for (let slot = 0; slot < slots.length; slot += 4) {
    for (let word = 0; word < 4; word++) words[word] = slots[slot + word]!
    if (!isEmpty(words, 0) && insert(larger, words) === CROWDED) others.add(HEAD + hexText(words, 0, 4))
  }
  return larger
}
