import type { Evidence } from './evidence.ts'
import type { RunOutcome } from './outcome.ts'

/**
 * Why the agent never began: our own sentence, the error of its import with the places in its sources, or the end of its
 * process before that. Null when it did begin.
 */
export function notStarted({
  facts,
  processEnd,
  mapStack,
}: Pick<Evidence, 'facts' | 'processEnd' | 'mapStack'>): RunOutcome['error'] {
  const fact = facts.find(candidate => candidate.kind === 'not-started')
  if (fact?.kind === 'not-started') {
    const places = fact.stack === null ? [] : mapStack(fact.stack)
    const message = [fact.message, ...places.map(place => `  ${place}`)].join('\n')
    return { code: fact.code, message, hint: fact.hint }
  }
  if (facts.some(({ kind }) => kind === 'began')) return null
  const message = `the agent's process ended ${howItEnded(processEnd)} before the agent was loaded`
  return { code: 'AGENT_IMPORT_FAILED', message, hint: null }
}

function howItEnded({ exitCode, signal, silentMs }: Evidence['processEnd']): string {
  if (silentMs !== null) return 'at its time-out'
  return signal === null ? `with code ${exitCode}` : `by ${signal}`
}
