/** The line of counts: what was compared, and `live calls 0`, which is a checked fact and not a promise. */
import type { RunOutcome, Totals } from '../outcome/outcome.ts'
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
    ...served(run),
    ...(run.rules.length === 0 ? [] : [rules(run)]),
    duration(run.durationMs),
  ]
  const lines = [factLine(facts, layout), ...waits(run, layout)]
  return hollow
    ? [...lines, wrapLine(2, span('  output equal, but it only repeats answers to the old prompt'))]
    : lines
}

/** `live calls 0 · served as recorded: 1 date · no rules · 0.2 s` */
export function factsLines(run: RunOutcome, layout: Layout): Line[] {
  const facts = [liveCalls(run), ...served(run), rules(run), duration(run.durationMs)]
  return [factLine(facts, layout), ...waits(run, layout)]
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
