import type { Finding } from './call-findings.ts'
import type { DivergenceFacts, Kind } from './outcome.ts'

/** A divergence of the run as a whole. */
export function runFinding(kind: Kind, facts: DivergenceFacts): Finding {
  return {
    kind,
    call: null,
    live: null,
    label: 'run',
    occurrences: 1,
    recorded: null,
    actual: null,
    source: null,
    differences: [],
    facts,
  }
}
