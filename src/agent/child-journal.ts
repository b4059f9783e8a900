/** The journal as the agent's process writes it, and the ends that we put to a run: first divergence, call limit, by hand. */
import { openJournal } from '../store/journal-file.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import type { RunJob } from './child-job.ts'

export interface ChildJournal {
  write(fact: Fact): void
  close(): void
  /** A run that wrote its end; what follows is no longer part of it. */
  readonly isEnded: boolean
}

export function openChildJournal(job: RunJob, endProcess: () => never): ChildJournal {
  const journal = openJournal(job.journal)
  const stopsAtFirst = job.onDivergence === 'stop'
  let made = 0
  let madeAt = 0
  let isEnded = false
  return {
    write: fact => {
      if (isEnded) return
      append(fact)
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
  }

  /** At once: what is not written when the agent blocks or dies is lost to the verdict. */
  function append(fact: Fact): void {
    journal.append(fact)
    journal.flush()
  }

  function limit(fact: MadeFact): void {
    made++
    madeAt = fact.at
    if (stopsAtFirst && isDivergent(fact)) stop('first-divergence')
    if (made > job.maxCalls) stop('too-many-calls')
  }

  function stop(why: 'first-divergence' | 'too-many-calls'): never {
    append({ kind: 'stopped', at: madeAt, why, limit: why === 'too-many-calls' ? job.maxCalls : null })
    isEnded = true
    return endProcess()
  }
}

function isDivergent(fact: MadeFact): boolean {
  if (fact.afterEnd === true) return false
  if (fact.answer === 'run' && fact.verdict === 'changed-input') return false
  return (fact.verdict !== 'matched' && fact.verdict !== 'unplanned') || fact.hastyBefore !== undefined
}
