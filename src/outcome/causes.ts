/**
 * Which divergences are causes. A later difference follows from a cause when it vanishes once the cause's live values are
 * replaced by its recorded ones; what was never reached because the run ended early follows from that end.
 */
import type { Difference } from '../json/compare.ts'
import { largest } from '../json/largest.ts'
import { isJsonObject, type Json } from '../json/value.ts'
import { writeJson } from '../json/write-json.ts'
import type { Finding } from './call-findings.ts'
import type { Divergence } from './outcome.ts'

export interface CauseContext {
  /** Live number of the refused call whose refusal ended the run; null when none did. */
  readonly refusedLive: number | null
  /** The refused connection whose error ended the run; null when none did. */
  readonly blockedEnd: string | null
  /** The run did not get to its end. */
  readonly isCutShort: boolean
  /** The last recorded call that was made, 0 when none was; what is missing behind it is one cause. */
  readonly lastMade: number
  readonly recordedResult: (call: number) => Json
}

/** Call findings first, then those of the run, each with the cause it follows from. */
export function withCauses(
  ofCalls: readonly Finding[],
  ofRun: readonly Finding[],
  context: CauseContext,
): Divergence[] {
  const findings = [...ofCalls, ...ofRun]
  const causes: (number | null)[] = []
  const firstOfTail = findings.findIndex(isOfTail)
  const end = findings.findIndex(isEnd)
  // The end of the run stands behind the missing calls in the list; a refusal that ended it is the cause of both.
  const endCause = causeOfEnd(findings[end]) ?? (end === -1 ? null : end)
  for (const [index, found] of findings.entries()) causes.push(causeOf(index, found))
  return findings.map((found, index) => ({
    ...found,
    root: causes[index] === null,
    causedBy: causes[index] ?? null,
  }))

  function causeOf(index: number, found: Finding): number | null {
    if (found.kind === 'missing') return isOfTail(found) ? causeOfTail(index) : null
    if (isEnd(found)) return causeOfEnd(found)
    if (found.differences.length === 0) return null
    const root = causes.findIndex((cause, at) => cause === null && explains(findings[at]!, found))
    return root === -1 ? null : root
  }

  /** Missing, and the run made no recorded call any more after it. */
  function isOfTail({ kind, call }: Finding): boolean {
    return kind === 'missing' && call !== null && call > context.lastMade
  }

  function causeOfTail(index: number): number | null {
    const first = firstOfTail === index ? null : firstOfTail
    return context.isCutShort ? (endCause ?? first) : first
  }

  function causeOfEnd(end: Finding | undefined): number | null {
    if (end?.kind === 'too-many-calls') return loopIndex()
    return refusedIndex() ?? blockedIndex()
  }

  /** The unknown call that was made again and again. */
  function loopIndex(): number | null {
    const tries = ofCalls.map(found => (found.live === null ? 0 : found.occurrences))
    const most = largest(0, tries)
    return most < MADE_IN_A_LOOP ? null : tries.indexOf(most)
  }

  function blockedIndex(): number | null {
    const index = ofCalls.findIndex(found => found.kind === 'blocked' && found.label === context.blockedEnd)
    return index === -1 ? null : index
  }

  function refusedIndex(): number | null {
    if (context.refusedLive === null) return null
    const index = ofCalls.findIndex(
      found => found.live !== null && found.live <= context.refusedLive! && isRefusalFor(found),
    )
    return index === -1 ? null : index
  }

  function isRefusalFor(found: Finding): boolean {
    return found.live! + found.occurrences > context.refusedLive! || found.live === context.refusedLive
  }

  function explains(cause: Finding, found: Finding): boolean {
    if (cause.kind === 'missing') return isFromAnswer(found, context.recordedResult(cause.call!))
    return found.differences.every(difference => cause.differences.some(root => vanishes(difference, root)))
  }
}

const MADE_IN_A_LOOP = 10

const ENDS = [
  'agent-error',
  'agent-exit',
  'agent-timeout',
  'agent-stalled',
  'too-many-calls',
  'failure-differs',
]

function isEnd(found: Finding): boolean {
  return ENDS.includes(found.kind)
}

/** The difference is gone when, in the live value, what the cause changed is put back. */
function vanishes(difference: Difference, root: Difference): boolean {
  if (same(difference.recorded, root.recorded) && same(difference.actual, root.actual)) return true
  const [recorded, actual] = [leafText(root.recorded), leafText(root.actual)]
  if (recorded === null || actual === null || actual === '') return false
  if (typeof difference.actual !== 'string' || typeof difference.recorded !== 'string') return false
  return difference.actual.split(actual).join(recorded) === difference.recorded
}

function same(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return writeJson(left) === writeJson(right)
}

function leafText(value: Json | undefined): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : null
}

/** What is absent or other now stood in the answer of the call that was not made. */
function isFromAnswer(found: Finding, answer: Json): boolean {
  const leaves = leavesOf(answer)
  return found.differences.every(({ recorded }) => {
    if (recorded === undefined) return false
    return leavesOf(recorded).every(leaf =>
      leaves.some(known => known === leaf || (leaf.length > 3 && known.includes(leaf))),
    )
  })
}

function leavesOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (isJsonObject(value)) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}
