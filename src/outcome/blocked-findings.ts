/** Connections that were refused because no recorded call explains them. */
import type { RecordedError } from '../json/error-record.ts'
import type { Fact } from '../trace/journal.ts'
import type { Finding } from './call-findings.ts'
import type { Evidence } from './evidence.ts'
import { runFinding } from './run-finding.ts'

/** One for each address, however often it was tried. */
export function blockedFindings({ facts, locate }: Evidence): Finding[] {
  const found = new Map<string, Finding>()
  for (const fact of facts) {
    if (fact.kind !== 'blocked') continue
    const { what, site } = fact
    const known = found.get(what)
    if (known !== undefined) found.set(what, { ...known, occurrences: known.occurrences + 1 })
    else found.set(what, blocked(what, site === null ? null : locate(site)))
  }
  return [...found.values()]
}

/** The refused connection whose error the run ended with; null when it ended in another way. */
export function blockedEndOf(facts: readonly Fact[]): string | null {
  const settled = facts.find(fact => fact.kind === 'settled')
  if (settled?.kind !== 'settled' || settled.status === 'completed') return null
  const message = blockedMessage(settled.error)
  const whats = facts.flatMap(fact => (fact.kind === 'blocked' ? [fact.what] : []))
  return message === null ? null : (whats.findLast(what => message.includes(what)) ?? null)
}

/** An SDK wraps what the network throws: the refusal is down its chain of causes. */
function blockedMessage(error: RecordedError | undefined): string | null {
  if (error === undefined) return null
  return error.members?.code === 'ERR_STEPFORK_BLOCKED' ? error.message : blockedMessage(error.cause)
}

function blocked(what: string, source: Finding['source']): Finding {
  return { ...runFinding('blocked', { what }), label: what, source }
}
