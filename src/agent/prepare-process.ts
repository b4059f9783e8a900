/**
 * What is done in the process of an agent before any of its code is loaded, whether we load it (child.ts) or a command does
 * (preload.ts): timers and HTTP requests are watched, the network of a frozen replay is closed, and what nobody sees is noted.
 */
import { enclosingHost } from '../boundary/slot.ts'
import { watchHttp } from '../boundary/watch-http.ts'
import { watchClockAndChance } from '../run/clock-and-chance.ts'
import { createRun, type Run } from '../run/run-agent.ts'
import { type TimerWatch, watchTimers } from '../run/timer-watch.ts'
import { closeNetwork } from '../sandbox/network-guard.ts'
import { allowsUrl } from '../sandbox/open-addresses.ts'
import { toldOnce } from '../sandbox/told-once.ts'
import { noteUnseen } from '../sandbox/unseen.ts'
import { noteUnwatched } from '../sandbox/unwatched.ts'
import { openPayloads } from '../store/payloads.ts'
import type { Fact, NoteCode } from '../trace/journal.ts'
import type { Redactor } from '../trace/redactor.ts'
import { askSupervisor } from './ask-supervisor.ts'
import type { RunJob } from './child-job.ts'

export interface PreparedProcess {
  /** The one run of this process. */
  createRun(options: RunParts): Run
}

export interface RunParts {
  readonly write: (fact: Fact) => void
  readonly redactor: Redactor
  readonly endsWhenIdle: boolean
}

export interface ProcessOptions {
  readonly write: (fact: Fact) => void
  /** The agent's own code names WebSocket. */
  readonly usesWebSockets: boolean
}

export function prepareProcess(job: RunJob, { write, usesWebSockets }: ProcessOptions): PreparedProcess {
  writeOutputAtOnce()
  const timers = watchTimers()
  watchHttp()
  if (job.closedNetworkAllows !== null) {
    closeNetwork({
      allow: job.closedNetworkAllows,
      usesWebSockets,
      onBlocked: (what, site) => write({ kind: 'blocked', at: 0, what, site }),
    })
  }
  noteWhatIsNotSeen(job, write)
  const withChance = watchClockAndChance({
    plan: job.plan,
    isKept: job.plan.mode === 'record' || job.isKept === true,
    isSeeded: job.seeded === true,
  })
  return { createRun: ({ write, ...parts }) => runOf(job, timers, { ...parts, write: withChance(write) }) }
}

/** What happens in the body of a call is part of that call. */
function noteWhatIsNotSeen(job: RunJob, write: (fact: Fact) => void): void {
  const isPartOfCall = (): boolean => (enclosingHost()?.enclosing() ?? null) !== null
  const telling = (code: NoteCode) => toldOnce(detail => write({ kind: 'note', code, detail }), isPartOfCall)
  noteUnwatched(telling('unwatched'))
  if (job.plan.mode !== 'record') return
  noteUnseen({ onConnection: telling('connection-unseen'), onFile: telling('file-written') })
}

function runOf(job: RunJob, timers: TimerWatch, parts: RunParts): Run {
  return createRun({
    ...parts,
    timers,
    plan: job.plan,
    payloads: job.bundle === null ? null : openPayloads(job.bundle),
    ...(job.plan.mode === 'manual' && { ask: askSupervisor }),
    ...(job.closedNetworkAllows !== null && { isOpen: allowsUrl(job.closedNetworkAllows) }),
    onDivergence: job.onDivergence,
    stallMs: job.stallMs,
    ...(job.evidence !== undefined && { evidence: job.evidence }),
    ownsProcess: true,
  })
}

/**
 * What the agent prints must not be cut off by the end of its process: a pipe is written as a file is. No longer
 * asynchronous, it need not keep the process alive either, so it does not count when the run is watched for idleness.
 */
function writeOutputAtOnce(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const { _handle: pipe } = stream as { _handle?: { setBlocking?(on: boolean): void; unref?(): void } }
    pipe?.setBlocking?.(true)
    pipe?.unref?.()
  }
}
