import fs from 'node:fs'
import type { AgentEnd } from '../cassette/agent-end.ts'
import type { Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import { real } from '../patch.ts'
import type { CassetteFact } from './cassette-job.ts'

/** What an agent's process writes down; the first end that is written is the one that counts. */
export interface CassetteJournal {
  write(fact: CassetteFact): void
  /** The agent is called now: from here on its time counts. */
  begin(): void
  conclude(end: AgentEnd): void
}

/** Each fact is written at once: what is not written when the process is killed is lost to the result. */
export function openCassetteJournal(path: string): CassetteJournal {
  // Kept before the files of the process are closed.
  const writeSync = fs.writeSync.bind(fs)
  const descriptor = fs.openSync(path, 'a')
  let beganAt = real.now()
  let hasEnded = false
  const write = (fact: CassetteFact): void => {
    writeSync(descriptor, `${writeJson(fact as unknown as Json)}\n`)
  }
  return {
    write: fact => {
      if (!hasEnded) write(fact)
    },
    begin: () => {
      write({ kind: 'began' })
      beganAt = real.now()
    },
    conclude: end => {
      if (!hasEnded) write({ kind: 'ended', end, ms: real.now() - beganAt })
      hasEnded = true
    },
  }
}
