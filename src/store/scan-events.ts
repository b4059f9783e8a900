import { createHash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFault } from '../json/parse-json.ts'
import { isDeeperThan, MAX_DEPTH } from '../json/value.ts'
import { checkEvent, type TimedEvent } from '../trace/event-schema.ts'
import { refuseBundle } from './bundle-error.ts'
import { openBundleFile } from './bundle-files.ts'
import { type Line, type LineFault, MAX_LINE_BYTES, readLines } from './lines.ts'

/**
 * Reads `events.jsonl` once: gives each checked event with its line to `visit`, keeps nothing, and returns the SHA-256
 * digest of the file. Raises BUNDLE_INVALID naming file and line.
 */
export function scanEvents(bundlePath: string, visit: (timed: TimedEvent, line: Line) => void): string {
  const place = join(bundlePath, 'events.jsonl')
  const fd = openBundleFile(bundlePath, 'events.jsonl')
  if (fd === null) refuseBundle({ code: 'missing_file', place, fault: 'it is gone' })
  try {
    const sha = createHash('sha256')
    const onBytes = (chunk: Uint8Array): void => void sha.update(chunk)
    for (const line of readLines(fd, { onBytes, onFault: fault => refuseLine(place, fault) })) {
      visit(eventOf(line, place), line)
    }
    return sha.digest('hex')
  } finally {
    closeSync(fd)
  }
}

function eventOf(line: Line, file: string): TimedEvent {
  const place = `${file}:${line.number}`
  const value = parseLine(line, place)
  // A payload may be MAX_DEPTH deep, and sits one level down. A shorter line cannot be that deep.
  if (line.length > 2 * MAX_DEPTH && isDeeperThan(value, MAX_DEPTH + 1)) {
    const fault = `it is nested deeper than ${MAX_DEPTH} levels`
    refuseBundle({
      code: 'invalid_json',
      place,
      fault,
      hint: 'No agent makes such a value: the file is damaged or hostile.',
    })
  }
  const checked = checkEvent(value)
  if ('fault' in checked) refuseBundle({ code: 'invalid_event', place, fault: checked.fault })
  return checked.value
}

function parseLine(line: Line, place: string): unknown {
  try {
    return JSON.parse(line.text)
  } catch (cause) {
    refuseBundle({ code: 'invalid_json', place, cause, ...faultOf(line) })
  }
}

function faultOf(line: Line): { readonly fault: string; readonly hint?: string } {
  if (line.text.trim() === '') return { fault: 'the line is empty', hint: 'Remove the empty line.' }
  const fault = jsonFault(line.text)
  if (line.isTerminated) return { fault }
  return {
    fault: `the file ends in the middle of this line (${fault})`,
    hint: 'The file was cut off: copy the bundle again, or record the run again.',
  }
}

/** Refuses a line that cannot be taken as text. */
export function refuseLine(file: string, { line, fault }: LineFault): never {
  const words = {
    'not-utf8': 'it is not UTF-8',
    'too-long': `it is longer than ${MAX_LINE_BYTES / 2 ** 20} MiB`,
  }
  refuseBundle({ code: 'invalid_json', place: `${file}:${line}`, fault: words[fault] })
}
