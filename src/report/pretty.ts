/** The report for people: a terminal, a CI log. */
import type { Outcome, RunVerdict } from '../outcome/outcome.ts'
import { cutLine, printPage, span } from './page.ts'
import { count } from './phrases.ts'
import type { Reporter } from './reporter.ts'
import { type RunOptions, runLines } from './run-lines.ts'

/**
 * `width` in columns, Infinity where the output is piped; `single` for one bundle on a terminal, where a green run
 * lists its calls; `quiet` leaves line one of each red run.
 */
export function prettyReporter(options: RunOptions): Reporter {
  return {
    begin: () => '',
    run: outcome => {
      const lines = runLines(outcome, options)
      return printPage(lines, options) + (lines.length > 1 && !options.single ? '\n' : '')
    },
    end: outcome => (options.quiet || outcome.runs.length < 2 ? '' : printPage([summary(outcome)], options)),
  }
}

const VERDICTS: Record<RunVerdict, string> = {
  matched: 'matched',
  reproduced: 'failed as recorded',
  diverged: 'diverged',
  error: 'not replayed',
}

/** `3 recordings: 2 matched, 1 diverged` */
function summary({ runs }: Outcome) {
  const words = runs.map(({ verdict, exitCode }) => (exitCode === 130 ? 'interrupted' : VERDICTS[verdict]))
  const counted = [...Object.values(VERDICTS), 'interrupted']
    .map(word => [words.filter(one => one === word).length, word] as const)
    .filter(([n]) => n > 0)
  return cutLine(
    span(`${count(runs.length, 'recording')}: ${counted.map(([n, word]) => `${n} ${word}`).join(', ')}`),
  )
}
