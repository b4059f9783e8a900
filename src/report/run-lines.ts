/** The report of one replay: the story on line one, the evidence, the counts, what to do next. */
import type { RunOutcome } from '../outcome/outcome.ts'
import type { NoteCode } from '../trace/journal.ts'
import { callList } from './call-list.ts'
import { causesOf } from './causes.ts'
import { countsLines, factsLines } from './counts-lines.ts'
import { drawnHint } from './drawn-words.ts'
import { textLines } from './error-text.ts'
import { headline } from './headline.ts'
import { type Hint, hintText } from './hints.ts'
import { type Layout, layoutFor } from './layout.ts'
import { NOTE_WORDS } from './note-words.ts'
import { EMPTY, type Line, type Paper, span, wrapLine } from './page.ts'
import { storyLines } from './story-lines.ts'
import { WORDS } from './words.ts'

export interface RunOptions extends Paper {
  readonly verbose: boolean
  readonly quiet: boolean
  /** One bundle on a terminal: a green run lists its calls, too. */
  readonly single: boolean
}

/** Hints of one report; more would bury the first, which is the one that counts. */
const HINTS = 2

export function runLines(run: RunOutcome, options: RunOptions): Line[] {
  const layout = layoutFor(options, options.verbose)
  const green = run.exitCode === 0
  if (options.quiet) return green ? [] : [headlineLine(run, layout)]
  switch (run.verdict) {
    case 'matched':
    case 'reproduced':
      return options.single || options.verbose || !green
        ? fullGreen(run, layout)
        : [headlineLine(run, layout), ...noteLines(run, ABOUT_OPTIONS)]
    case 'diverged':
      return diverged(run, layout)
    case 'error':
      return failed(run, layout)
  }
}

function headlineLine(run: RunOutcome, layout: Layout): Line {
  const good = run.exitCode === 0
  const mark = good ? layout.marks.good : layout.marks.bad
  const style = good ? 'good' : 'bad'
  return wrapLine(4, span(mark, style), span(` ${run.bundle.path}  `, 'bold'), span(headline(run)))
}

function fullGreen(run: RunOutcome, layout: Layout): Line[] {
  return [
    headlineLine(run, layout),
    ...paragraph(run.verdict === 'reproduced' ? [wrapLine(2, span(`  ${PINS}`))] : []),
    ...paragraph(callList(run, layout)),
    ...paragraph(noteLines(run)),
    ...paragraph(factsLines(run, layout)),
  ]
}

const PINS =
  'This recording pins a failure: green means that the agent still fails in the recorded way. Once it is mended, this replay turns red; record a good run then.'

function diverged(run: RunOutcome, layout: Layout): Line[] {
  return [
    headlineLine(run, layout),
    ...paragraph(storyLines(run, layout)),
    ...paragraph(noteLines(run)),
    ...paragraph(countsLines(run, layout)),
    ...hintsOf(run).flatMap(hintLines),
  ]
}

function failed(run: RunOutcome, layout: Layout): Line[] {
  const [, ...further] = (run.error?.message ?? '').split('\n')
  const hint = run.error?.hint ?? null
  return [
    headlineLine(run, layout),
    ...further.flatMap(textLines),
    ...(hint === null ? [] : [EMPTY, ...textLines(hint)]),
  ]
}

/** Blocks are parted by one empty line, also where one of them ends in an empty line. */
function paragraph(lines: readonly Line[]): Line[] {
  const end = lines.at(-1) === EMPTY ? -1 : lines.length
  return lines.length === 0 ? [] : [EMPTY, ...lines.slice(0, end)]
}

/** What became of an option that the user gave: told also where a green run has one line, as a CI log has no other. */
const ABOUT_OPTIONS: readonly NoteCode[] = ['live-unused', 'executed-other-input', 'not-saved']

function noteLines(run: RunOutcome, codes?: readonly NoteCode[]): Line[] {
  const notes = codes === undefined ? run.notes : run.notes.filter(({ code }) => codes.includes(code))
  return notes.map(note => wrapLine(8, span('  note  ', 'dim'), span(NOTE_WORDS[note.code](note.detail))))
}

/** Of the causes, each command once: recording again answers many of them together. */
function hintsOf(run: RunOutcome): Hint[] {
  const hints = new Map<string, Hint>()
  for (const { found } of causesOf(run)) {
    const hint = WORDS[found.kind].hint(found, run)
    const key = hint.command?.join(' ') ?? hintText(hint)
    if (!hints.has(key)) hints.set(key, hint)
  }
  const drawn = drawnHint(causesOf(run).map(({ found }) => found))
  return [...(drawn === null ? [] : [drawn]), ...[...hints.values()].slice(0, HINTS)]
}

function hintLines({ sentence, command }: Hint): Line[] {
  const text = wrapLine(2, span(`  ${sentence}`))
  return command === null ? [EMPTY, text] : [EMPTY, text, { kind: 'command', parts: command }]
}
