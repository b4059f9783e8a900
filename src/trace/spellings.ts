/** How drawn bytes are spelled in texts, and what bytes a text stands for. Libraries' alphabets are theirs. */
import type { Label, Spelling } from './determinism.ts'

export interface Draw extends Label {
  readonly drew: string
  readonly nth: number
  readonly bytes: Uint8Array
}

/** A draw as a text, from one of its bytes on. */
export interface Spelled {
  readonly draw: Draw
  readonly spelling: Spelling
  readonly from: number
  /** Lower case for hex, the alphabet of URLs for base64. */
  readonly text: string
}

/** `before`: draws of one byte under the same label, the last first. */
export function spelledDraw(draw: Draw, before: readonly Draw[]): Spelled[] {
  const { bytes } = draw
  if (bytes.length === 1) return [ulidOf(draw, before)]
  const hex = hexText(bytes)
  const spelled: Spelled[] = []
  for (const from of hexPlaces(bytes.length))
    spelled.push({ draw, spelling: 'hex', from, text: hex.slice(2 * from) })
  if (draw.drew === 'randomUUID') return spelled
  if (bytes.length >= 6) spelled.push({ draw, spelling: 'base64', from: 0, text: base64Text(bytes) })
  if (bytes.length === 4) spelled.push({ draw, spelling: 'uint32', from: 0, text: String(uint32(bytes)) })
  if (bytes.length < SMALLEST_NANOID_POOL) return spelled
  const nanoid = nanoidText(bytes)
  for (let from = 0; from + 8 <= bytes.length; from++)
    spelled.push({ draw, spelling: 'nanoid', from, text: nanoid.slice(from) })
  return spelled
}

/** A token as the keys of draws are written. */
export function spelledText(token: string): { readonly exact: string; readonly hex: string } {
  return { exact: token.replaceAll('+', '-').replaceAll('/', '_'), hex: token.toLowerCase() }
}

/** A part of a token that stands for a draw, dashes included, and the byte with which it begins. */
export interface SpelledPart {
  readonly start: number
  readonly length: number
  readonly from: number
}

/** How far a draw is spelled around the place in a token at which it was found. */
export function spelledPart({ draw, spelling, text, from }: Spelled, token: string, at: number): SpelledPart {
  if (spelling !== 'hex') return { start: at, length: exactLength(text, spelling, token, at), from }
  const hex = hexText(draw.bytes)
  const length = hexLength(hex.slice(2 * from), from, token, at)
  const before = hexBefore(hex, from, token, at)
  return { start: at - before.length, length: length + before.length, from: from - before.bytes }
}

/** Larger pools are drawn from by libraries that do not write hex. */
const LARGEST_HEX_POOL = 512

/** Where an id begins in what was drawn, or a usual piece of one: each 16 bytes, its last 6 and its last 4. */
function hexPlaces(size: number): number[] {
  const places = new Set([0, size - 4].filter(from => from >= 0))
  if (size <= LARGEST_HEX_POOL)
    for (let id = 0; id + 16 <= size; id += 16) for (const from of [0, 10, 12]) places.add(id + from)
  return [...places]
}

/** nanoid takes its ids from a pool, one after the other: 128 times the bytes of its first. */
const SMALLEST_NANOID_POOL = 128

function exactLength(text: string, spelling: Spelling, token: string, at: number): number {
  const { exact } = spelledText(token)
  let length = 0
  while (length < text.length && exact[at + length] === text[length]) length++
  // The beginning of a number in decimal says nothing of its bytes.
  return spelling === 'uint32' && length < text.length ? 0 : length
}

/** A UUID writes version and variant over two of its digits, and dashes between some; so the token may be longer than the text. */
function hexLength(text: string, from: number, token: string, at: number): number {
  let passed = 0
  let length = 0
  for (; passed < text.length && at + length < token.length; length++) {
    const digit = token[at + length]!.toLowerCase()
    const place = (from * 2 + passed) % 32
    if (digit === '-' && DASHES.includes(place)) continue
    const isVersion = VERSION.includes(place) && token[at + length + 1]?.toLowerCase() === text[passed + 1]
    if (digit !== text[passed] && !isVersion) break
    passed++
  }
  return token[at + length - 1] === '-' ? length - 1 : length
}

/** An id of which only the beginning is a time: what stands before the found end of it was drawn as well. */
function hexBefore(hex: string, from: number, token: string, at: number): { length: number; bytes: number } {
  let passed = 0
  let whole = { length: 0, bytes: 0 }
  for (let length = 1; passed < 2 * from && at - length >= 0; length++) {
    const digit = token[at - length]!.toLowerCase()
    const place = (2 * from - passed) % 32
    if (digit === '-' && DASHES.includes(place)) continue
    const isVersion = VERSION.includes(place - 1) && /[0-9a-f]/.test(digit)
    if (digit !== hex[2 * from - passed - 1] && !isVersion) break
    passed++
    if (passed % 2 === 0) whole = { length, bytes: passed / 2 }
  }
  return whole
}

const DASHES: readonly number[] = [8, 12, 16, 20]
const VERSION: readonly number[] = [12, 16]

const URL_ALPHABET = 'useandom-26T198340PX75pxJACKVERYMINDBUSHWOLF_GQZbfghjklqvwyzrict'
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** nanoid takes a character for each byte. */
function nanoidText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += URL_ALPHABET[byte & 63]
  return text
}

/** ulid draws a byte for each character, the last character first. */
function ulidOf(draw: Draw, before: readonly Draw[]): Spelled {
  const text = [draw, ...before].map(({ bytes }) => CROCKFORD[bytes[0]! >> 3]).join('')
  return { draw, spelling: 'ulid', from: 0, text }
}

function uint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true)
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function base64Text(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const bits = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    const characters = Math.min(4, Math.ceil(((bytes.length - at) * 8) / 6))
    for (let i = 0; i < characters; i++) text += BASE64[(bits >> (18 - 6 * i)) & 63]
  }
  return text
}

/** A byte that a text tells: of which draw (counted from the marked one), which byte, and its value. */
export interface Told {
  readonly nth: number
  readonly at: number
  readonly value: number
}

/** The bytes that a marked text stands for; those of which it holds only a part are completed as chance may. */
export function bytesTold(spelling: Spelling, text: string, from: number): Told[] {
  switch (spelling) {
    case 'hex':
      return hexTold(text, from)
    case 'base64':
      return base64Told(text)
    case 'nanoid':
      return [...text].map((character, i) => ({
        nth: 0,
        at: from + i,
        value: URL_ALPHABET.indexOf(character),
      }))
    case 'ulid':
      return [...text].map((character, i) => ({ nth: -i, at: 0, value: CROCKFORD.indexOf(character) << 3 }))
    case 'uint32': {
      const value = Number(text)
      return [0, 8, 16, 24].map((shift, at) => ({ nth: 0, at, value: (value >>> shift) & 255 }))
    }
  }
}

function hexTold(text: string, from: number): Told[] {
  const digits = text.replaceAll('-', '')
  return Array.from({ length: Math.ceil(digits.length / 2) }, (_, i) => ({
    nth: 0,
    at: from + i,
    value: Number.parseInt(digits.slice(2 * i, 2 * i + 2).padEnd(2, '0'), 16),
  }))
}

function base64Told(text: string): Told[] {
  const told: Told[] = []
  let bits = 0
  let held = 0
  for (const character of spelledText(text).exact) {
    bits = ((bits << 6) | BASE64.indexOf(character)) & 0xffff
    held += 6
    if (held < 8) continue
    held -= 8
    told.push({ nth: 0, at: told.length, value: (bits >> held) & 255 })
  }
  if (held > 0) told.push({ nth: 0, at: told.length, value: (bits << (8 - held)) & 255 })
  return told
}
