/**
 * Mode manual, the agent's side: one line out, one line back, read so that nothing else happens meanwhile. Bound when
 * loaded: an agent may patch `fs`.
 */
import { readSync, writeSync } from 'node:fs'
import { parseJson } from '../json/parse-json.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Question, Reply } from '../trace/question.ts'
import { QUESTION_DESCRIPTOR } from './child-job.ts'

const CHUNK = 65_536
const PAUSE_MS = 10
const NEWLINE = 10

/** The supervisor's reply; `stop` when there is none to ask any more. */
export function askSupervisor(question: Question): Reply {
  const line = Buffer.from(`${writeJson(question as unknown as Json)}\n`)
  for (let sent = 0; sent < line.length; ) {
    sent += patiently(() => writeSync(QUESTION_DESCRIPTOR, line, sent, line.length - sent))
  }
  const reply = readLine()
  return reply === null ? { kind: 'stop' } : (parseJson(reply) as unknown as Reply)
}

/** Null at the end of what can be read. A reply is the only line on its way, so nothing is read beyond it. */
function readLine(): string | null {
  const parts: Buffer[] = []
  for (;;) {
    const part = Buffer.alloc(CHUNK)
    const length = patiently(() => readSync(QUESTION_DESCRIPTOR, part, 0, CHUNK, null))
    if (length === 0) return null
    parts.push(part.subarray(0, length))
    if (part[length - 1] === NEWLINE) return Buffer.concat(parts).toString('utf8')
  }
}

/** The descriptor blocks, but where something has set it not to. */
function patiently(transfer: () => number): number {
  for (;;) {
    try {
      return transfer()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}
