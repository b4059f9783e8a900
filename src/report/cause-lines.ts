/** One cause in full: what happened, the values or facts that show it, and the line of the agent's code. */

import type { Json } from '../json/value.ts'
import type { Divergence, Kind, RunOutcome } from '../outcome/outcome.ts'
import { differenceLines } from './difference-lines.ts'
import { entry, type Layout, labelled, side, under, valueWidth, verbatim, withGap } from './layout.ts'
import { EMPTY, type Line } from './page.ts'
import { requestSummary } from './payload-summary.ts'
import { count, isModel, liveEnd, recordedError, wordOfOther } from './phrases.ts'
import { sourceLines } from './source-lines.ts'
import { valueText } from './value-text.ts'
import { WORDS } from './words.ts'

export function causeLines(found: Divergence, run: RunOutcome, layout: Layout): Line[] {
  const { evidence, tight } = evidenceOf(found, run, layout)
  const source = sourceLines(found, layout)
  return [
    entry(layout, 'bad', placeOf(found), WORDS[found.kind].sentence(found, run)),
    ...(tight || evidence.length === 0 ? [] : [EMPTY]),
    ...(source.length === 0 ? evidence : [...withGap(evidence), ...source]),
  ]
}

/** What stands in the column of the call numbers. */
export function placeOf({ kind, call }: Divergence): string {
  if (call !== null) return String(call)
  return PLACES[kind] ?? 'new'
}

const PLACES: Partial<Record<Kind, string>> = {
  'output-differs': 'output',
  'output-not-json': 'output',
  'failure-differs': 'run',
  'not-fixed': 'run',
  'expectation-failed': 'run',
  'agent-error': 'run',
  'agent-timeout': 'run',
  'agent-stalled': 'run',
  'agent-exit': 'run',
  'too-many-calls': 'run',
}

/** `tight`: the evidence is one value, and stands directly under the sentence. */
interface Evidence {
  readonly evidence: readonly Line[]
  readonly tight: boolean
}

function evidenceOf(found: Divergence, run: RunOutcome, layout: Layout): Evidence {
  switch (found.kind) {
    case 'changed-input':
    case 'changed-target':
      return spaced([
        ...differenceLines(seenDifferences(found), { of: 'input', prose: isModel(found, run) }, layout),
        ...otherSecrets(found, layout),
        ...ambiguity(found, layout),
      ])
    case 'derived-differs':
      return spaced(differenceLines(found.differences, { of: 'answer', prose: isModel(found, run) }, layout))
    case 'output-differs':
      return spaced(
        differenceLines(found.differences, { of: 'output', prose: false, other: wordOfOther(found) }, layout),
      )
    case 'extra':
    case 'exhausted':
    case 'blocked':
      return tightly([
        ...liveCall(found, layout),
        ...nearest(found, run, layout),
        ...tries(found, layout),
        ...ambiguity(found, layout),
      ])
    case 'refused':
    case 'no-result':
    case 'altered-recording':
      return tightly([...theCall(found, layout), ...tries(found, layout)])
    case 'reordered':
    case 'not-awaited':
      return tightly([...theCall(found, layout), under(layout, SAME_INPUT)])
    case 'missing':
      return tightly([
        ...recordedCall(found, layout),
        ...recordedSite(found, layout),
        ...ambiguity(found, layout),
      ])
    case 'failure-differs':
      return tightly([...ends(found, layout), ...stack(found, layout)])
    case 'agent-error':
    case 'not-fixed':
      return tightly(stack(found, layout))
    case 'agent-timeout':
    case 'agent-stalled':
      return tightly(openCalls(found, layout))
    case 'expectation-failed':
    case 'agent-exit':
    case 'output-not-json':
    case 'too-many-calls':
      return tightly([])
  }
}

function spaced(evidence: readonly Line[]): Evidence {
  return { evidence, tight: false }
}

function tightly(evidence: readonly Line[]): Evidence {
  return { evidence, tight: true }
}

function liveCall({ label, actual }: Divergence, layout: Layout): Line[] {
  return actual === null ? [] : side(layout, 'live', [callText(label, actual, layout)])
}

/** The input is as recorded, so it is no evidence: it only tells the call from others of its name. */
function theCall({ label, actual }: Divergence, layout: Layout): Line[] {
  return actual === null ? [] : [verbatim(layout, callText(label, actual, layout), 'dim')]
}

const SAME_INPUT = 'its input is as recorded, only the order is another'

function ambiguity({ facts }: Divergence, layout: Layout): Line[] {
  if (facts.ambiguous !== true) return []
  return [
    under(
      layout,
      'two equal calls were open at once before it: the recording cannot tell their answers apart',
    ),
  ]
}

/** Two placeholders look the same. */
function seenDifferences({ differences, facts }: Divergence): Divergence['differences'] {
  return differences.filter(({ path }) => facts.otherSecrets?.includes(path) !== true)
}

function otherSecrets({ facts }: Divergence, layout: Layout): Line[] {
  if (facts.otherSecrets === undefined) return []
  const places = facts.otherSecrets.map(path => path || 'the input').join(' and ')
  return [under(layout, `at ${places} stands another secret than in the recording`)]
}

function recordedCall({ label, recorded }: Divergence, layout: Layout): Line[] {
  return side(layout, 'recorded', [recorded === null ? label : callText(label, recorded, layout)])
}

function callText(label: string, input: Json, layout: Layout): string {
  const summary = requestSummary(label, input, layout.paper)
  return `${label} ${summary ?? valueText(input, valueWidth(layout), layout.paper)}`
}

function nearest(found: Divergence, run: RunOutcome, layout: Layout): Line[] {
  const { kind, label } = found
  const labels = labelsOfItsKind(found, run)
  if (kind !== 'extra' || labels.length === 0) return []
  const text = labels.includes(label)
    ? `${label} is recorded with other input`
    : `none of that name; the recording has ${labels.join(', ')}`
  return [labelled(layout, 'nearest', text)]
}

/** A tool is not mistaken for a model. */
function labelsOfItsKind({ live, facts }: Divergence, { calls }: RunOutcome): readonly string[] {
  const kind = calls.find(call => call.live === live && call.number === null)?.kind
  const others = calls.filter(call => call.number !== null && call.kind !== kind).map(call => call.label)
  return (facts.recordedLabels ?? []).filter(label => kind === undefined || !others.includes(label))
}

function tries({ occurrences, facts }: Divergence, layout: Layout): Line[] {
  const tried = occurrences > 1 ? `tried ${count(occurrences, 'time')}` : null
  const caught = facts.swallowed === true ? 'the agent caught the refusal and went on' : null
  const text = [tried, caught].filter(part => part !== null).join('; ')
  return text === '' ? [] : [under(layout, text)]
}

/** The file may have changed since: the recording knows the place, not the code. */
function recordedSite({ facts }: Divergence, layout: Layout): Line[] {
  if (facts.recordedSite === undefined) return []
  const place = facts.recordedSite.replace(/^(\S+:\d+:\d+) (?=.)/, '$1, in ')
  return [under(layout, `recorded at ${place} (as the file was then)`)]
}

function ends(found: Divergence, layout: Layout): Line[] {
  return [
    ...side(layout, 'recorded', [`failed with ${recordedError(found)}`]),
    ...side(layout, 'live', [liveEnd(found)]),
  ]
}

function stack({ source, facts }: Divergence, layout: Layout): Line[] {
  if (source !== null && !layout.verbose) return []
  return (facts.stack ?? []).slice(0, 10).map(line => verbatim(layout, line.trim(), 'dim'))
}

function openCalls({ facts }: Divergence, layout: Layout): Line[] {
  const open = facts.openCalls ?? []
  return open.length === 0 ? [] : [labelled(layout, 'open', open.join(', '))]
}
