/** How a run ends, and that as a fact of its journal. */
import type { RecordedError } from '../json/error-record.ts'
import type { CompletedFact, Fact } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import type { Driver } from './driver.ts'
import { keptError, keptStack } from './kept-error.ts'
import { keptValue } from './kept-value.ts'
import { refusedLiveIn } from './refused-live.ts'

export type RunEnd =
  | { readonly status: 'completed'; readonly value: unknown }
  | { readonly status: 'failed'; readonly error: unknown }
  | { readonly status: 'stalled' }
  /** The process ended with another code than 0, and no error says why. */
  | { readonly status: 'exited'; readonly code: number }

export function settledFact(end: RunEnd, driver: Driver): Fact {
  const { redactor } = driver.run
  const at = driver.run.now()
  switch (end.status) {
    case 'stalled':
      return { kind: 'stalled', at }
    case 'exited':
      return {
        kind: 'settled',
        at,
        status: 'failed',
        error: exitError(end.code),
        stack: null,
        refusedLive: null,
      }
    case 'failed':
      return {
        kind: 'settled',
        at,
        status: 'failed',
        ...keptError(end.error, redactor),
        stack: keptStack(end.error, redactor),
        refusedLive: refusedLiveIn(driver.run, end.error),
      }
    case 'completed':
      return {
        kind: 'settled',
        at,
        status: 'completed',
        ...outputOf(driver.output === null ? end.value : driver.output.value, redactor),
      }
  }
}

/** A program's way to say that it failed. */
function exitError(code: number): RecordedError {
  return { name: 'AgentExit', message: `the process ended with exit code ${code}` }
}

function outputOf(
  raw: unknown,
  redactor: Redactor,
): Pick<CompletedFact, 'output' | 'findings' | 'marks' | 'outputNotJson'> {
  try {
    const { value, ...told } = keptValue(raw, redactor)
    return { output: value, ...told }
  } catch (error) {
    return { output: null, outputNotJson: error instanceof Error ? error.message : String(error) }
  }
}
