/** Facts of a divergence put into words: the parts of which the catalogue makes its sentences. */
import type { Difference } from '../json/compare.ts'
import type { Json } from '../json/value.ts'
import type { CallOutcome, Divergence, RunOutcome } from '../outcome/outcome.ts'
import { looksEqual } from './compared-values.ts'
import { unseenDifference } from './unseen-difference.ts'
import { typeWord, valueText } from './value-text.ts'

/** `1 call`, `2 calls`. */
export function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`
}

/** Milliseconds as a person says them: `41 ms`, `0.2 s`, `75 s`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}

export function place(found: Divergence, run: RunOutcome): string {
  return found.call === null ? 'a call' : `call ${found.call} of ${run.totals.recorded}`
}

export function isModel(found: Divergence, run: RunOutcome): boolean {
  return run.calls.some(call => call.kind === 'llm' && call.live === found.live && call.number === found.call)
}

/** `/amount is 43.5, recorded 42.5`: the first difference, with its values when they are short. */
export function firstDifference(found: Divergence, whole: 'input' | 'output' | 'answer'): string {
  const { differences } = found
  const [first] = differences
  if (first === undefined) return `the ${whole} differs`
  if (found.facts.otherSecrets?.includes(first.path)) return `another secret stands at ${first.path || whole}`
  const more = differences.length > 1 ? ` (and ${differences.length - 1} more)` : ''
  return `${first.path === '' ? `the ${whole}` : first.path} ${differs(first, wordOfOther(found))}${more}`
}

/** What a live value is held against. */
export function wordOfOther({ facts }: Divergence): 'recorded' | 'expected' {
  return facts.isExpected === true ? 'expected' : 'recorded'
}

function differs({ change, recorded, actual }: Difference, other: 'recorded' | 'expected'): string {
  switch (change) {
    case 'added':
      return brief(actual) === null ? 'is new' : `is ${brief(actual)}, not ${other}`
    case 'removed':
      return brief(recorded) === null ? 'is gone' : `is gone, ${other} ${brief(recorded)}`
    case 'moved':
      return 'stands in another place'
    case 'changed':
      return changed(recorded, actual, other)
  }
}

function changed(recorded: Json | undefined, live: Json | undefined, other: string): string {
  const [then, now] = [brief(recorded), brief(live)]
  if (recorded === undefined || live === undefined || then === null || now === null) return 'differs'
  if (isUnseen(recorded, live)) return 'differs in a way that is hard to see'
  if (!looksEqual(recorded, live)) return `is ${now}, ${other} ${then}`
  return `is ${now} (${typeWord(live)}), ${other} ${then} (${typeWord(recorded)})`
}

function isUnseen(recorded: Json, live: Json): boolean {
  return typeof recorded === 'string' && typeof live === 'string' && unseenDifference(recorded, live) !== null
}

/** The value when it is short enough for a headline. */
function brief(value: Json | undefined): string | null {
  if (value === undefined) return null
  const text = valueText(value, 24, { unicode: true })
  return text.length <= 24 ? text : null
}

export function recordedLabel({ facts }: Divergence): string {
  return facts.recordedLabels?.[0] ?? 'another call'
}

/** A late call is named by the one that it should have come before, an early one by the last that it overtook. */
export function outOfPlace({ facts }: Divergence): string {
  if (facts.before !== undefined) return `too late, it is recorded before call ${facts.before}`
  return facts.after === undefined ? 'out of order' : `too early, it is recorded after call ${facts.after}`
}

/** Said only where nothing else is wrong. */
export function inputsAreSame({ divergences }: RunOutcome): string {
  return divergences.every(({ kind }) => kind === 'reordered' || kind === 'not-awaited')
    ? 'No input changed. '
    : ''
}

/** How one call is freed from its order: where it is wrapped, if it is. */
export function freeingOf(found: Divergence, run: RunOutcome): string {
  if (found.facts.isHttp === true) return ''
  return `give ${isModel(found, run) ? 'this llmRequest' : found.label} order: 'any', or `
}

export function openCall({ facts }: Divergence): string {
  return facts.before === undefined ? 'before it' : String(facts.before)
}

/** `after 4`, `before 1`. */
export function afterCall({ facts }: Divergence): string {
  return facts.after === undefined || facts.after === 0 ? 'before 1' : `after ${facts.after}`
}

export function withThisInput({ label, facts }: Divergence): string {
  return facts.recordedLabels?.includes(label) === true ? ' with this input' : ''
}

export function recordedTimes({ facts }: Divergence): number {
  return facts.recordedTimes ?? 1
}

export function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`
}

/** `2nd`, `3rd`, `11th`. */
export function ordinal(n: number): string {
  const teen = n % 100 >= 11 && n % 100 <= 13
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}

export function expectedAfter({ call }: Divergence): string {
  return call === null || call === 1 ? 'first' : `after ${call - 1}`
}

export function forbiddenBy({ facts }: Divergence, run: RunOutcome): string {
  if (facts.by !== 'policy')
    return run.mode === 'live'
      ? 'mode live runs tools only when named'
      : `mode ${run.mode} refuses every call`
  return `its recorded policy is ${facts.policy ?? 'forbidden'}`
}

/** The option that opens the address, where there is one to open. */
export function orAllowNet({ facts }: Divergence): string {
  const address = / to (\S+:\d+)$/.exec(facts.what ?? '')
  return address === null ? '' : `, or let it pass with --allow-net ${address[1]}`
}

/** `a Set has no JSON form (at $.seen)` */
export function notJson({ facts }: Divergence): string {
  return facts.what ?? 'it is not JSON'
}

/** Where the output is the only thing that differs, the headline says so. */
export function callsMatched({ totals }: RunOutcome): string {
  return totals.recorded > 0 && totals.matched === totals.recorded ? ', though all calls matched' : ''
}

export function recordedError({ facts }: Divergence): string {
  return named(facts.recordedErrorName ?? 'an error', facts.recordedErrorMessage)
}

export function liveError({ facts }: Divergence): string {
  return named(facts.errorName ?? 'an error', facts.errorMessage)
}

export function liveEnd(found: Divergence): string {
  return isCompleted(found) ? 'completed' : `failed with ${liveError(found)}`
}

export function isCompleted({ facts }: Divergence): boolean {
  return facts.errorName === null
}

function named(name: string, message: string | null | undefined): string {
  return message === undefined || message === null || message === '' ? name : `${name}: ${message}`
}

export function silence({ facts }: Divergence): string {
  return duration(facts.silentMs ?? 0)
}

/** Twice what was not enough, as the command line takes it. */
export function longerTimeout({ facts }: Divergence): string {
  return `--timeout ${2 * Math.max(1, Math.round((facts.silentMs ?? 60_000) / 1000))}s`
}

export function afterLast({ facts }: Divergence): string {
  return facts.lastCall === undefined || facts.lastCall === null
    ? ', before any call'
    : `, last call ${facts.lastCall}`
}

export function exitWord({ facts }: Divergence): string {
  if (facts.signal !== undefined && facts.signal !== null) return `by ${facts.signal}`
  return facts.code === undefined || facts.code === null ? 'without a code' : `with code ${facts.code}`
}

/** An extra call that came first may have got the answer of a call that was asked for afterwards. */
export function ranOrRefused(found: Divergence, run: RunOutcome): string {
  if (isExecuted(found, run)) return 'ran for real'
  if (isEdited(found, run)) return 'was answered by hand'
  return found.facts.lentFrom === undefined
    ? 'was refused, not run'
    : `was not run: it got the recorded answer to call ${found.facts.lentFrom}, which was asked for later`
}

/** `--live` named it, or a person said so. */
export function isExecuted(found: Divergence, run: RunOutcome): boolean {
  return answerTo(found, run) === 'executed'
}

function isEdited(found: Divergence, run: RunOutcome): boolean {
  return answerTo(found, run) === 'edited'
}

function answerTo({ live, call }: Divergence, { calls }: RunOutcome): CallOutcome['answer'] | null {
  return calls.find(one => one.live === live && one.number === call)?.answer ?? null
}

export function whyNoResult({ facts }: Divergence): string {
  return facts.isLost === true
    ? 'its result had no JSON form and could not be kept'
    : 'the recorded run ended before it was answered'
}

export function recordedEnd({ bundle }: RunOutcome): string {
  return bundle.status === 'running' ? 'the recording was cut off' : 'the recorded run completed'
}
