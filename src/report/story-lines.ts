/** The run call by call: what matched in one line together, each cause in full, what follows from it folded under it. */
import type { Divergence, RunOutcome } from '../outcome/outcome.ts'
import { callNumbers } from './call-numbers.ts'
import { causeLines, placeOf } from './cause-lines.ts'
import { type Cause, causesOf } from './causes.ts'
import { differenceLines } from './difference-lines.ts'
import { entry, type Layout, withGap } from './layout.ts'
import { EMPTY, type Line } from './page.ts'
import { place, wordOfOther } from './phrases.ts'
import { WORDS } from './words.ts'

/** More causes than this, and only the first few are shown in full. */
const MANY = 5
const IN_FULL = 3

export function storyLines(run: RunOutcome, layout: Layout): Line[] {
  const causes = causesOf(run)
  const full = layout.verbose || causes.length <= MANY ? causes : causes.slice(0, IN_FULL)
  const matched = matchedNumbers(run)
  const lines: Line[] = []
  let told = 0
  let lent: readonly number[] = []
  const tellUpTo = (last: number): void => {
    const next = matched.filter(number => number > told && number <= last)
    if (next.length > 0)
      lines.push(entry(layout, 'good', callNumbers(next, layout.verbose), matchedWords(lent)))
    told = Math.max(told, last)
  }
  for (const cause of full) {
    tellUpTo(lastBefore(cause.found))
    lines.push(...withGap(causeLines(cause.found, run, layout)), ...followLines(cause, run, layout))
    lent = [...lent, ...lentCalls(cause, run)]
  }
  lines.push(...causes.slice(full.length).map(({ found }) => briefly(found, run, layout)))
  tellUpTo(Number.POSITIVE_INFINITY)
  return lines
}

function matchedNumbers(run: RunOutcome): number[] {
  const matched = run.calls.filter(call => call.verdict === 'matched' && call.number !== null)
  return matched.map(call => call.number!).sort((a, b) => a - b)
}

/** The last recorded call that belongs before this finding. */
function lastBefore({ call, facts }: Divergence): number {
  if (call !== null) return call - 1
  return facts.after ?? Number.POSITIVE_INFINITY
}

/** Recorded calls whose answer was given although the question was another. */
function lentCalls({ found, followers }: Cause, run: RunOutcome): number[] {
  const numbers = new Set([found, ...followers].map(one => one.call))
  return run.calls
    .filter(
      call =>
        call.verdict !== 'matched' &&
        call.answer === 'recorded' &&
        call.number !== null &&
        numbers.has(call.number),
    )
    .map(call => call.number!)
}

function matchedWords(lent: readonly number[]): string {
  if (lent.length === 0) return 'matched'
  return lent.length === 1
    ? `matched, after the recorded answer to ${lent[0]}`
    : 'matched, after the recorded answers'
}

/** Nothing below it says what differs, as its headline does; the number of the call stands in front already. */
function briefly(found: Divergence, run: RunOutcome, layout: Layout): Line {
  const { headline, sentence } = WORDS[found.kind]
  const [text, prefix] = [headline(found, run), `${place(found, run)}, `]
  const words = text.startsWith(prefix) ? text.slice(prefix.length) : sentence(found, run)
  return entry(layout, 'bad', placeOf(found), words)
}

function followLines({ found, followers }: Cause, run: RunOutcome, layout: Layout): Line[] {
  const cause = causeName(found)
  const same = followers.filter(isSameAgain)
  const gone = followers.filter(isGone)
  const others = followers.filter(one => !isSameAgain(one) && !isGone(one))
  return [
    ...together(same, `from ${cause}: the same difference again, nothing else`, layout),
    ...together(gone, `from ${cause}: not called`, layout),
    ...others.flatMap(one => otherFollower(one, cause, run, layout)),
  ]
}

/** What follows from a call names its number; a call that is not in the recording has only a name. */
function causeName({ call, live, label }: Divergence): string {
  if (call !== null) return String(call)
  return live === null ? 'that' : label
}

function isSameAgain({ call, kind }: Divergence): boolean {
  return call !== null && kind.startsWith('changed')
}

function isGone({ call, kind }: Divergence): boolean {
  return call !== null && kind === 'missing'
}

function together(followers: readonly Divergence[], text: string, layout: Layout): Line[] {
  if (followers.length === 0) return []
  const numbers = followers.map(one => one.call!).sort((a, b) => a - b)
  const verb = followers.length === 1 ? 'follows' : 'follow'
  return [entry(layout, 'follows', callNumbers(numbers, layout.verbose), `${verb} ${text}`)]
}

function otherFollower(found: Divergence, cause: string, run: RunOutcome, layout: Layout): Line[] {
  if (found.kind !== 'output-differs') {
    return [
      entry(
        layout,
        'follows',
        placeOf(found),
        `follows from ${cause}: ${WORDS[found.kind].sentence(found, run)}`,
      ),
    ]
  }
  return [
    entry(layout, 'follows', 'output', `follows from ${cause}`),
    ...differenceLines(found.differences, { of: 'output', prose: false, other: wordOfOther(found) }, layout),
    EMPTY,
  ]
}
