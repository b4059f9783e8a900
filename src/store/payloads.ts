import fs from 'node:fs'
import { join } from 'node:path'
import { StepforkError } from '../errors.ts'
import { rawMember } from '../json/read-json.ts'
import type { Slice } from '../trace/bundle.ts'
import type { PayloadName } from '../trace/event.ts'
import type { RecordedExchange } from '../trace/exchange.ts'

// Kept at import: an agent, or the guard around it, may replace the file functions of its process.
const { openSync, readSync, closeSync } = fs

/** The lines of a bundle's `events.jsonl`, and of the exchanges beside it, by place; open until closed. */
export interface Payloads {
  /** The line as it stands in the file. */
  text(slice: Slice): string
  /** A payload, parsed afresh each time, so that an agent may change what it gets. Absent reads as null. */
  field(slice: Slice, member: PayloadName): unknown
  /** The JSON text of a payload as it stands in the file, number spellings included: what its hash is made from. */
  rawField(slice: Slice, member: PayloadName | 'message'): string
  /** The exchange at this line of `x-exchanges.jsonl`. */
  exchange(slice: Slice): RecordedExchange
  close(): void
}

/** A replay reads mostly forwards, so one read of this many bytes serves many calls. */
const WINDOW = 256 * 1024

/**
 * Opens the payloads of a bundle that `readBundle` has checked. Loads nothing but the file: this runs in the agent's
 * process. Its functions raise BUNDLE_INVALID when the file has changed since.
 */
export function openPayloads(bundlePath: string): Payloads {
  const path = join(bundlePath, 'events.jsonl')
  const exchangesPath = join(bundlePath, 'x-exchanges.jsonl')
  const window = openWindow(path)
  let exchanges: Window | null = null
  const text = (slice: Slice): string => readSlice(window, slice, path)
  return {
    text,
    field: (slice, member) => {
      const line = text(slice)
      return lastMember(line, member) ?? parseLine(line, path)[member] ?? null
    },
    rawField: (slice, member) => rawMember(text(slice), member) ?? 'null',
    exchange: slice => {
      exchanges ??= openWindow(exchangesPath)
      return parseLine(
        readSlice(exchanges, slice, exchangesPath),
        exchangesPath,
      ) as unknown as RecordedExchange
    },
    close: () => {
      closeSync(window.fd)
      if (exchanges !== null) closeSync(exchanges.fd)
    },
  }
}

interface Window {
  readonly fd: number
  buffer: Buffer
  /** Place of the buffer's first byte in the file, and how many bytes it holds. */
  offset: number
  length: number
}

function openWindow(path: string): Window {
  try {
    return { fd: openSync(path, 'r'), buffer: Buffer.allocUnsafe(WINDOW), offset: 0, length: 0 }
  } catch (cause) {
    throw new StepforkError('BUNDLE_NOT_FOUND', `cannot open ${path}`, null, { cause })
  }
}

function readSlice(window: Window, slice: Slice, path: string): string {
  if (slice.offset < window.offset || slice.offset + slice.length > window.offset + window.length) {
    moveTo(window, slice)
  }
  if (window.length < slice.length) throw changed(path)
  const start = slice.offset - window.offset
  return window.buffer.toString('utf8', start, start + slice.length)
}

/** A long line gets its own buffer, which is dropped again at the next move. */
function moveTo(window: Window, { offset, length }: Slice): void {
  const size = Math.max(length, WINDOW)
  if (window.buffer.length !== size) window.buffer = Buffer.allocUnsafe(size)
  window.offset = offset
  window.length = 0
  while (window.length < size) {
    const read = readSync(
      window.fd,
      window.buffer,
      window.length,
      size - window.length,
      offset + window.length,
    )
    if (read === 0) break
    window.length += read
  }
}

/**
 * The payload alone, parsed without the rest of its line, which would cost as much again; null when it must be looked for.
 * Most lines end with their payload. The name of a member can stand nowhere else with its quotes and colon, and a text from
 * there to the last brace is JSON only if it is the value of that last member: anything nested or followed by more is not.
 */
function lastMember(line: string, member: PayloadName): unknown {
  if (member !== 'input' && !line.includes('"type":"tool_result"')) return null
  const name = `"${member}":`
  const at = line.indexOf(name)
  if (at === -1 || !line.endsWith('}')) return null
  try {
    return JSON.parse(line.slice(at + name.length, -1))
  } catch {
    return null
  }
}

function parseLine(text: string, path: string): { readonly [member: string]: unknown } {
  try {
    return JSON.parse(text) as { readonly [member: string]: unknown }
  } catch {
    throw changed(path)
  }
}

function changed(path: string): StepforkError {
  return new StepforkError(
    'BUNDLE_INVALID',
    `${path} is no longer what it was when it was loaded`,
    'Do not write to a bundle while it is being replayed; run the command again.',
  )
}
