/** The whole story of one replay in one line, for a CI log, an annotation or a test's message. */
import type { RunOutcome } from '../outcome/outcome.ts'
import { causesOf } from './causes.ts'
import { count } from './phrases.ts'
import { WORDS } from './words.ts'

export function headline(run: RunOutcome): string {
  if (run.exitCode === 130) return `${endWord(run)}: ${matchedCalls(run)} matched until then`
  switch (run.verdict) {
    case 'matched':
      return `${fixedWord(run)}matched: ${matchedCalls(run)}, ${outputWord(run)}`
    case 'reproduced':
      return `failed as recorded: ${failureWord(run)}; ${matchedCalls(run)} matched (this recording pins a failure)`
    case 'diverged':
      return divergedHeadline(run)
    case 'error':
      return `not replayed: ${errorWord(run)}`
  }
}

function endWord({ notes }: RunOutcome): string {
  return notes.some(note => note.code === 'stopped-by-hand') ? 'stopped by hand' : 'interrupted'
}

export function outputWord({ output }: RunOutcome): string {
  if (!output.compared) return 'output not compared'
  return output.equal === true ? 'output equal' : 'output differs'
}

/** What `--expect fixed` was asked for comes first. */
function fixedWord({ notes }: RunOutcome): string {
  const fixed = notes.find(note => note.code === 'fixed')
  return fixed === undefined ? '' : `fixed: ${fixed.detail} did not come back; `
}

function errorWord({ error }: RunOutcome): string {
  return error === null ? 'an error without a message' : `${error.message.split('\n')[0]} (${error.code})`
}

function matchedCalls({ totals }: RunOutcome): string {
  return `${totals.matched} of ${count(totals.recorded, 'call')}`
}

function failureWord({ failure }: RunOutcome): string {
  if (failure === null) return 'with the recorded error'
  return failure.message === '' ? failure.type : `${failure.type}: ${failure.message}`
}

function divergedHeadline(run: RunOutcome): string {
  const causes = causesOf(run)
  const first = causes[0]
  if (first === undefined) return 'diverged'
  const calls = first.followers.filter(one => one.call !== null || one.live !== null).length
  const also = [
    ...(calls > 1 ? [`${calls} follow`] : []),
    ...(causes.length > 1 ? [count(causes.length - 1, 'more cause')] : []),
  ]
  const words = WORDS[first.found.kind].headline(first.found, run)
  return also.length === 0 ? words : `${words} (${also.join('; ')})`
}
