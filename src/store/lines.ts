import { isUtf8 } from 'node:buffer'
import fs from 'node:fs'

// Kept at import: an agent, or the guard around it, may replace the file functions of its process.
const { readSync } = fs

/** One line of a file. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** Byte offset of its first byte. */
  readonly offset: number
  /** Bytes, without the newline. */
  readonly length: number
  /** False for a last line without a newline. */
  readonly isTerminated: boolean
}

/** What ends a reading early; the caller knows the file's name and words it. */
export type LineFault = { readonly line: number; readonly fault: 'not-utf8' | 'too-long' }

export interface LineOptions {
  /** Given each chunk of the file once, in order, newlines included. */
  readonly onBytes?: (chunk: Uint8Array) => void
  /** Called instead of a line that cannot be taken; must throw. */
  readonly onFault: (fault: LineFault) => never
}

/** A line must fit into one string, which V8 limits to 512 MiB. */
export const MAX_LINE_BYTES = 256 * 1024 * 1024
const CHUNK = 1024 * 1024
const NEWLINE = 10

/**
 * The lines of an open file, read once from its beginning in chunks of 1 MiB; memory is that of the longest line. Lines
 * end at `\n` only: U+2028 and a lone carriage return may stand inside a JSON string.
 */
export function* readLines(fd: number, options: LineOptions): Generator<Line> {
  let buffer: Buffer = Buffer.allocUnsafe(2 * CHUNK)
  /** Bytes in the buffer that belong to a line whose end has not been seen, and their place in the file. */
  let held = 0
  let offset = 0
  let number = 1
  for (;;) {
    if (held > MAX_LINE_BYTES) options.onFault({ line: number, fault: 'too-long' })
    if (buffer.length - held < CHUNK) buffer = grown(buffer, held)
    const read = readSync(fd, buffer, held, CHUNK, null)
    if (read === 0) break
    options.onBytes?.(buffer.subarray(held, held + read))
    const end = held + read
    let start = 0
    // The held part was searched before; searching it again would make one long line quadratic.
    let newline = buffer.indexOf(NEWLINE, held)
    // Behind `end` lies what an earlier chunk left.
    while (newline !== -1 && newline < end) {
      yield lineOf(buffer, start, newline, offset, number++, true, options)
      offset += newline + 1 - start
      start = newline + 1
      newline = buffer.indexOf(NEWLINE, start)
    }
    buffer.copyWithin(0, start, end)
    held = end - start
  }
  if (held > 0) yield lineOf(buffer, 0, held, offset, number, false, options)
}

function grown(buffer: Buffer, held: number): Buffer {
  const larger = Buffer.allocUnsafe(2 * buffer.length)
  buffer.copy(larger, 0, 0, held)
  return larger
}

function lineOf(
  buffer: Buffer,
  start: number,
  end: number,
  offset: number,
  number: number,
  isTerminated: boolean,
  options: LineOptions,
): Line {
  const text = buffer.toString('utf8', start, end)
  // Decoding puts U+FFFD in place of what is not UTF-8; only a text that holds one needs the exact check.
  if (text.includes('\ufffd') && !isUtf8(buffer.subarray(start, end))) {
    options.onFault({ line: number, fault: 'not-utf8' })
  }
  return { number, text, offset, length: end - start, isTerminated }
}
