/** The closing lines of `record`: what was seen, what was not, and the command to go on with. */
import type { CallChange, ChangedCalls, ChangeKind } from '../diff/changed-calls.ts'
import type { RunOutcome } from '../outcome/outcome.ts'
import type { Failure, RunStatus } from '../trace/bundle.ts'
import { agentArgument, argvArgument } from './hints.ts'
import { marksFor } from './marks.ts'
import { cutLine, EMPTY, type Line, type Paper, printPage, span, wrapLine } from './page.ts'
import { count } from './phrases.ts'
import { pathArgument, shellQuote } from './shell-command.ts'

export interface RecordSummary {
  /** The new bundle, as the user would write its path. */
  readonly path: string
  readonly agentName: string
  /** What to replay it with. */
  readonly agent: RunOutcome['agent']
  readonly status: RunStatus
  readonly failure: Failure | null
  /** How the agent's process ended before the run was over, in words; null when the run came to its end. */
  readonly cutOff: string | null
  /** In recorded order. */
  readonly calls: readonly { readonly kind: 'tool' | 'llm'; readonly label: string }[]
  /** What happened outside the boundaries, in words: `a connection to 10.0.0.7:5432`. */
  readonly unseen: readonly string[]
  /** It holds the seed of all random bytes of the run. Absent: it does not. */
  readonly isSeeded?: boolean
  /** Recorded again: what changed, and the recording that stays because the new run was cut off. */
  readonly changes?: ChangedCalls & { readonly isOutputChanged: boolean }
  readonly kept?: string | null
  /** The file that is to tell git of recordings, and does not yet; with what is to stand there. */
  readonly git?: { readonly file: string; readonly line: string } | null
}

/** Names listed; an agent with more tools than this is told how many are left. */
const MOST = 20

export function recordSummary(summary: RecordSummary, paper: Paper): string {
  return printPage(
    [
      headLine(summary, paper),
      ...failureLines(summary),
      ...callLines(summary),
      ...changeLines(summary),
      ...unseenLines(summary),
      ...seedLines(summary),
      ...nextLines(summary),
      ...gitLines(summary),
    ],
    paper,
  )
}

function headLine({ path, agentName, status, calls, cutOff }: RecordSummary, paper: Paper): Line {
  const marks = marksFor(paper)
  const mark = cutOff === null ? span(`${marks.good} `, 'good') : span(`${marks.bad} `, 'bad')
  return wrapLine(
    4,
    mark,
    span(`${path}  `, 'bold'),
    span(`recorded ${agentName}: ${count(calls.length, 'call')}, ${cutOff === null ? status : 'cut off'}`),
  )
}

function failureLines({ failure, cutOff }: RecordSummary): Line[] {
  if (cutOff !== null)
    return [wrapLine(4, span(`  the recording is incomplete: the agent's process ended ${cutOff}`))]
  return failure === null
    ? []
    : [wrapLine(4, span(`  the run failed with ${failure.type}: ${failure.message}`))]
}

function callLines({ calls }: RecordSummary): Line[] {
  if (calls.length === 0) return [EMPTY, wrapLine(2, span(`  ${NOTHING}`))]
  const counted = [...countEach(calls)]
  const digits = String(Math.max(...counted.map(([, times]) => times))).length
  const lines = counted
    .slice(0, MOST)
    .map(([name, times]) => cutLine(span(`    ${String(times).padStart(digits)}x  ${name}`)))
  const more = counted.length - lines.length
  return [EMPTY, ...lines, ...(more > 0 ? [cutLine(span(`    and ${more} more`, 'dim'))] : [])]
}

const NOTHING =
  'No call was seen. Requests over HTTP are seen as they are, other tools when they are wrapped by traceTool, other models when they are called through llmRequest.'

function countEach(calls: RecordSummary['calls']): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, label } of calls) {
    const name = `${kind === 'llm' ? 'model' : 'tool '}  ${label}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const CHANGED: { readonly [kind in ChangeKind]: string } = {
  'other-input': 'was asked something else',
  'other-output': 'answered something else',
  added: 'is new',
  removed: 'is no longer called',
}

function changeLines({ changes, calls }: RecordSummary): Line[] {
  if (changes === undefined) return []
  const { same, changes: changed, isOutputChanged } = changes
  const head = `${same} of ${count(calls.length, 'call')} as before`
  const end = isOutputChanged ? 'the run ends otherwise' : 'and so is the output'
  const lines = changed.slice(0, MOST).map(one => cutLine(span(`    ${changeText(one)}`)))
  const more = changed.length - lines.length
  return [
    EMPTY,
    wrapLine(4, span(`  against the recording before: ${head}, ${end}`)),
    ...lines,
    ...(more > 0 ? [cutLine(span(`    and ${more} more`, 'dim'))] : []),
  ]
}

function changeText({ kind, label, before, now }: CallChange): string {
  const moved = before !== null && now !== null && before !== now ? `, call ${before} before` : ''
  const place = now === null ? `call ${before} before` : `call ${now}${moved}`
  return `${label} ${CHANGED[kind]} (${place})`
}

function unseenLines({ unseen }: RecordSummary): Line[] {
  if (unseen.length === 0) return []
  const shown = unseen.slice(0, MOST)
  const more = unseen.length > shown.length ? [`and ${unseen.length - shown.length} more`] : []
  return [EMPTY, wrapLine(4, span(`  not recorded: ${[...shown, ...more].join('; ')}`))]
}

function seedLines({ isSeeded }: RecordSummary): Line[] {
  return isSeeded === true ? [EMPTY, wrapLine(4, span(`  ${SECRET}`))] : []
}

const SECRET =
  'This recording counts as a secret: it holds the seed from which every id, token and key that the agent drew can be made again.'

/** A run that was cut off cannot come out as recorded, so it is shown and not replayed. */
function nextLines({ path, agent, calls, status, cutOff, kept }: RecordSummary): Line[] {
  if (kept != null) return keptLines(path, kept)
  if (calls.length === 0) return []
  if (cutOff !== null)
    return [
      EMPTY,
      cutLine(span('  See what it holds:')),
      { kind: 'command', parts: ['npx stepfork inspect', pathArgument(path)] },
    ]
  if (agent === null) return []
  const parts = ['npx stepfork replay', pathArgument(path), agentArgument(agent), ...argvArgument(agent)]
  const offer = status === 'failed' ? PINNED : 'Replay it:'
  return [EMPTY, wrapLine(2, span(`  ${offer}`)), { kind: 'command', parts }]
}

/** A wrong key or a service that is down looks like this, too: who meant to record a run that succeeds should know. */
const PINNED =
  'A replay expects this failure. If it should not be kept, mend it and record again (--overwrite); else replay it:'

function keptLines(path: string, kept: string): Line[] {
  return [
    EMPTY,
    wrapLine(2, span(`  ${kept} stays as it was. See what there is of the new run:`)),
    { kind: 'command', parts: ['npx stepfork inspect', pathArgument(path)] },
  ]
}

function gitLines({ git }: RecordSummary): Line[] {
  if (git == null) return []
  return [
    EMPTY,
    wrapLine(2, span('  To commit recordings, tell git once that they are data:')),
    { kind: 'command', parts: [`echo ${shellQuote(git.line)}`, `>> ${pathArgument(git.file)}`] },
  ]
}
