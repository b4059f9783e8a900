import type { StepforkError } from '../errors.ts'
import type { Fact } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import { openJournal } from './journal-file.ts'

/** Writes facts at once: what is not written when the process blocks or dies is lost. */
export interface FactWriter {
  write(fact: Fact): void
  close(): void
  /** Why it no longer writes; null while it does. */
  readonly failure: StepforkError | null
}

/**
 * Opens a journal that never fails its agent: at the first fact that the disk does not take it ends, as a line behind half a
 * line could not be read. `onFailure` is told once. Raises WRITE_FAILED when it cannot be opened.
 */
export function openFactWriter(
  path: string,
  redactor: Redactor,
  onFailure: (failure: StepforkError) => void = () => {},
): FactWriter {
  const journal = openJournal(path, redactor)
  let failure: StepforkError | null = null
  return {
    write: fact =>
      attempt(() => {
        journal.append(fact)
        journal.flush()
      }),
    close: () => attempt(journal.close),
    get failure() {
      return failure
    },
  }

  function attempt(action: () => void): void {
    if (failure !== null) return
    try {
      action()
    } catch (error) {
      failure = error as StepforkError
      onFailure(failure)
    }
  }
}
