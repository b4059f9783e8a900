/** The journal as the agent's process writes it, and the two ends that we put to a run: first divergence, call limit. */
import { openJournal } from '../store/journal-file.ts'
import type { Fact, MadeFact } from '../trace/journal.ts'
import type { ChildJob } from './child-job.ts'

export interface ChildJournal {
  write(fact: Fact): void
  close(): void
  /** A run that wrote its end; what follows is no longer part of it. */
  readonly isEnded: boolean
}

export function openChildJournal(job: ChildJob, endProcess: () => never): ChildJournal {
  const journal = openJournal(job.journal)
  let made = 0
  let isEnded = false
  return {
    write: fact => {
      if (isEnded) return
      append(fact)
      if (fact.kind === 'ended') isEnded = true
      if (fact.kind === 'made') limit(fact)
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
    const isFirstDivergence = job.onDivergence === 'stop' && isDivergent(fact)
    if (!isFirstDivergence && made <= job.maxCalls) return
    const why = isFirstDivergence ? 'first-divergence' : 'too-many-calls'
    append({ kind: 'stopped', at: fact.at, why, limit: isFirstDivergence ? null : job.maxCalls })
    endProcess()
  }
}

function isDivergent(fact: MadeFact): boolean {
  if (fact.afterEnd === true) return false
  return (fact.verdict !== 'matched' && fact.verdict !== 'unplanned') || fact.hastyBefore !== undefined
}
