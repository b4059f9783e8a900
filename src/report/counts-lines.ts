/** The line of counts: what was compared, and `live calls 0`, which is a checked fact and not a promise. */
import type { CallOutcome, RunOutcome, Totals } from '../outcome/outcome.ts'
import { callNumbers } from './call-numbers.ts'
import { causesOf } from './causes.ts'
import { outputWord } from './headline.ts'
import type { Layout } from './layout.ts'
import { type Line, span, wrapLine } from './page.ts'
import { count, duration } from './phrases.ts'

const COUNTED: readonly (keyof Totals)[] = ['changed', 'reordered', 'missing', 'extra', 'refused', 'executed']

/** `1 cause · 5 matched, 1 changed · output equal · live calls 0 · 0.2 s` */
export function countsLines(run: RunOutcome, layout: Layout): Line[] {
  const hollow = onlyRepeats(run)
  const facts = [
    count(causesOf(run).length, 'cause'),
    totalsWords(run),
    ...(hollow ? [] : [outputWord(run)]),
    liveCalls(run),
    ...edited(run),
    ...served(run),
    ...(run.rules.length === 0 ? [] : [rules(run)]),
    duration(run.durationMs),
  ]
  const lines = [factLine(facts, layout), ...waits(run, layout), ...otherAnswers(run)]
  return hollow
    ? [...lines, wrapLine(2, span('  output equal, but it only repeats answers to the old prompt'))]
    : lines
}

/** `live calls 0 · served as recorded: 1 date · no rules · 0.2 s` */
export function factsLines(run: RunOutcome, layout: Layout): Line[] {
  const facts = [liveCalls(run), ...edited(run), ...served(run), rules(run), duration(run.durationMs)]
  return [factLine(facts, layout), ...waits(run, layout), ...otherAnswers(run)]
}

function factLine(facts: readonly string[], layout: Layout): Line {
  return wrapLine(2, span(`  ${facts.join(layout.marks.dot)}`))
}

/** A model that was asked another question got the answer to the old one: an equal output proves nothing then. */
function onlyRepeats({ output, calls }: RunOutcome): boolean {
  return (
    output.equal === true &&
    calls.some(
      call => call.kind === 'llm' && call.verdict.startsWith('changed') && call.answer === 'recorded',
    )
  )
}

function totalsWords({ totals, divergences }: RunOutcome): string {
  const blocked = divergences.filter(found => found.kind === 'blocked').length
  const counted = COUNTED.filter(name => totals[name] > 0).map(name => `${totals[name]} ${name}`)
  return [`${totals.matched} matched`, ...counted, ...(blocked > 0 ? [`${blocked} blocked`] : [])].join(', ')
}

function liveCalls({ liveCalls: made }: RunOutcome): string {
  return made === null ? 'live calls not watched' : `live calls ${made}`
}

function edited({ calls }: RunOutcome): string[] {
  const given = calls.filter(call => call.answer === 'edited').length
  return given === 0 ? [] : [`answered by hand ${given}`]
}

/** An output is compared with the recorded one, whose answers these were not. */
function otherAnswers({ mode, output, calls }: RunOutcome): Line[] {
  if (mode !== 'manual' || !output.compared) return []
  const words = [...named(calls, 'executed', 'ran for real'), ...named(calls, 'edited', 'answered by hand')]
  if (words.length === 0) return []
  return [
    wrapLine(2, span(`  the output stands on other answers than the recorded one: ${words.join(', ')}`)),
  ]
}

/** `call 2 ran for real`, `calls 3, 5 answered by hand`, `new calls answered by hand`. */
function named(calls: readonly CallOutcome[], answer: CallOutcome['answer'], what: string): string[] {
  const ofAnswer = calls.filter(call => call.answer === answer)
  const numbers = ofAnswer.flatMap(call => (call.number === null ? [] : [call.number])).sort((a, b) => a - b)
  const fresh = ofAnswer.length - numbers.length
  return [
    ...(numbers.length === 0
      ? []
      : [`${numbers.length === 1 ? 'call' : 'calls'} ${callNumbers(numbers, true)} ${what}`]),
    ...(fresh === 0 ? [] : [`${count(fresh, 'new call')} ${what}`]),
  ]
}

function served({ served: { times, ids } }: RunOutcome): string[] {
  const parts = [...(times > 0 ? [count(times, 'date')] : []), ...(ids > 0 ? [count(ids, 'random id')] : [])]
  return parts.length === 0 ? [] : [`served as recorded: ${parts.join(', ')}`]
}

function rules({ rules: declared }: RunOutcome): string {
  return declared.length === 0 ? 'no rules' : `rules: ${declared.join(', ')}`
}

function waits({ waits: { held, released, parked } }: RunOutcome, layout: Layout): Line[] {
  if (!layout.verbose) return []
  return [factLine([`answers held ${held}`, `released when idle ${released}`, `parked ${parked}`], layout)]
}
