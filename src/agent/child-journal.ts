/**
 * The journal as the agent's process writes it, and the ends that we put to a run: first divergence, call limit, by hand, and
 * in a replay a journal that cannot be written.
 */
import fs from 'node:fs'
import { writeJson } from '../json/write-json.ts'
import { openFactWriter } from '../store/fact-writer.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import { JOURNAL_FAILED, type RunJob } from './child-job.ts'

// Kept at import: the agent may replace it.
const writeToStderr = fs.writeSync.bind(fs, 2)

export interface ChildJournal {
  write(fact: Fact): void
  close(): void
  /** A run that wrote its end; what follows is no longer part of it. */
  readonly isEnded: boolean
  /** The disk took no more: the supervisor is told by the exit code JOURNAL_FAILED. */
  readonly hasFailed: boolean
}

export function openChildJournal(
  job: RunJob,
  redactor: Redactor,
  exit: (code: number) => never,
): ChildJournal {
  const isRecording = job.plan.mode === 'record'
  const endProcess = (): never => exit(1)
  const journal = openFactWriter(job.journal, redactor, ({ message }) => {
    writeToStderr(`stepfork: ${message}\n`)
    // An agent that runs for real goes on; a replay without its journal has no verdict.
    if (!isRecording) exit(JOURNAL_FAILED)
  })
  const stopsAtFirst = job.onDivergence === 'stop'
  let made = 0
  let madeAt = 0
  let isEnded = false
  return {
    write: fact => {
      if (isEnded) return
      journal.write(fact)
      if (journal.failure !== null) printOutput(fact)
      if (fact.kind === 'ended' || fact.kind === 'stopped') isEnded = true
      if (fact.kind === 'stopped') endProcess()
      if (fact.kind === 'made') limit(fact)
      // A call that was matched when it was made, and then could not be answered.
      if (stopsAtFirst && (fact.kind === 'given-back' || fact.kind === 'unanswered')) stop('first-divergence')
    },
    close: () => {
      isEnded = true
      journal.close()
    },
    get isEnded() {
      return isEnded
    },
    get hasFailed() {
      return journal.failure !== null
    },
  }

  function limit(fact: MadeFact): void {
    made++
    madeAt = fact.at
    if (stopsAtFirst && isDivergent(fact)) stop('first-divergence')
    if (made > job.maxCalls) stop('too-many-calls')
  }

  function stop(why: 'first-divergence' | 'too-many-calls'): never {
    journal.write({ kind: 'stopped', at: madeAt, why, limit: why === 'too-many-calls' ? job.maxCalls : null })
    isEnded = true
    return endProcess()
  }
}

function isDivergent(fact: MadeFact): boolean {
  if (fact.afterEnd === true) return false
  if (fact.answer === 'run' && fact.verdict === 'changed-input') return false
  return (fact.verdict !== 'matched' && fact.verdict !== 'unplanned') || fact.hastyBefore !== undefined
}

/** What the agent returned would be in the recording and nowhere else. */
function printOutput(fact: Fact): void {
  if (fact.kind !== 'settled' || fact.status !== 'completed') return
  writeToStderr(`stepfork: the agent's output was ${writeJson(fact.output)}\n`)
}
