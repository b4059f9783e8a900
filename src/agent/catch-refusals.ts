import type { Run } from '../run/run-agent.ts'
import type { Fact } from '../trace/journal.ts'

/**
 * Our own refusal must not end the process when the agent never looked at it; the session keeps the divergence. Every other
 * rejection that nobody handles goes to `others`.
 */
export function catchRefusals(
  run: Run,
  write: (fact: Fact) => void,
  others: (reason: unknown) => void,
): void {
  process.on('unhandledRejection', reason => {
    const live = run.refusedLive(reason)
    if (live === null) others(reason)
    else write({ kind: 'note', code: 'refusal-unhandled', detail: String(live) })
  })
}
