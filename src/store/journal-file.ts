import fs from 'node:fs'
import { StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Fact } from '../trace/journal.ts'
import { redactFact } from '../trace/redact-fact.ts'
import type { Redactor } from '../trace/redactor.ts'
import { readLines } from './lines.ts'

// Kept at import: an agent, or the guard around it, may replace these functions of its process.
const { openSync, writeSync, closeSync } = fs
const stringify = JSON.stringify

/** An open journal: one JSON object a line, append-only. */
export interface Journal {
  /** Takes the fact; it is on its way to the file at the next flush, or once 64 kB have gathered. */
  append(fact: Fact): void
  /** Hands everything to the operating system, so that it survives the death of this process. */
  flush(): void
  /** Flushes and closes; closing twice is nothing. */
  close(): void
}

const FLUSH_AT = 64 * 1024

/** Opens a journal for appending and creates it for its owner only. No fact is written unredacted, if there is a redactor. Raises WRITE_FAILED, here and later. */
export function openJournal(path: string, redactor: Redactor | null = null): Journal {
  const fd = orFail(path, () => openSync(path, 'a', 0o600))
  let waiting = ''
  let isOpen = true
  const flush = (): void => {
    if (waiting === '') return
    const bytes = Buffer.from(waiting)
    waiting = ''
    orFail(path, () => writeAll(fd, bytes))
  }
  return {
    append(fact) {
      waiting += `${lineOf(redactor === null ? fact : redactFact(fact, redactor))}\n`
      if (waiting.length >= FLUSH_AT) flush()
    },
    flush,
    close() {
      if (!isOpen) return
      isOpen = false
      flush()
      closeSync(fd)
    },
  }
}

/**
 * The facts of a journal. An unterminated last line is what a killed process leaves behind and is dropped; anything
 * else that is no JSON raises BUNDLE_INVALID. Raises BUNDLE_NOT_FOUND when there is no such file.
 */
export function readJournal(path: string): Fact[] {
  const fd = openToRead(path)
  try {
    const facts: Fact[] = []
    const onFault = ({ line }: { readonly line: number }): never => refuse(path, line)
    for (const line of readLines(fd, { onFault })) {
      if (line.isTerminated) facts.push(parseFact(line.text, path, line.number))
    }
    return facts
  } finally {
    closeSync(fd)
  }
}

/** JSON.stringify knows no bigint, and an agent that taught it to prints them as texts. */
function lineOf(fact: Fact): string {
  if ('toJSON' in BigInt.prototype) return writeJson(fact as unknown as Json)
  try {
    return stringify(fact)
  } catch {
    return writeJson(fact as unknown as Json)
  }
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done)
    } catch (error) {
      // A pipe whose reader is slow; a journal must not lose a fact for that.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

function orFail<T>(path: string, write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw new StepforkError('WRITE_FAILED', `cannot write ${path}: ${(cause as Error).message}`, null, {
      cause,
    })
  }
}

function openToRead(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new StepforkError('BUNDLE_NOT_FOUND', `cannot open ${path}: ${(cause as Error).message}`, null, {
      cause,
    })
  }
}

function parseFact(text: string, path: string, line: number): Fact {
  try {
    return parseJson(text) as unknown as Fact
  } catch {
    refuse(path, line)
  }
}

function refuse(path: string, line: number): never {
  throw new StepforkError(
    'BUNDLE_INVALID',
    `${path}:${line} is not a line of a journal`,
    'The file was changed after it was written; record the run again.',
  )
}
