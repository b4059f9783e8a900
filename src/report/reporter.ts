import type { Outcome, RunOutcome } from '../outcome/outcome.ts'

/**
 * How outcomes become text: `begin`, then `run` for each replay as it ends, then `end` with all of them. Each
 * returns the text to write next; none of them writes, reads a clock or keeps a state.
 */
export interface Reporter {
  readonly begin: () => string
  readonly run: (outcome: RunOutcome) => string
  readonly end: (outcome: Outcome) => string
}
