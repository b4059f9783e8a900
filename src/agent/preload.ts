/**
 * Loaded into the Node processes of a command (`stepfork record -- node agent.js`) before any code of theirs. Only watches
 * until the process makes its first call: that begins the run, and the end of the process ends it.
 */
import fs from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { type Host, slot } from '../boundary/slot.ts'
import { isStepforkError, type StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { watchEnvironment } from '../run/environment-secrets.ts'
import type { Run } from '../run/run-agent.ts'
import type { RunEnd } from '../run/run-end.ts'
import { leaveOut } from '../sandbox/leave-out.ts'
import { openJournal } from '../store/journal-file.ts'
import type { Fact } from '../trace/journal.ts'
import { createRedactor, type Redactor } from '../trace/redactor.ts'
import { catchRefusals } from './catch-refusals.ts'
import { COMMAND_JOB, type CommandJob, JOURNAL_FAILED } from './child-job.ts'
import { type ChildJournal, openChildJournal } from './child-journal.ts'
import { endWithProcess } from './lifeline.ts'
import { ownRun } from './own-run.ts'
import { isPackageRunner } from './package-runner.ts'
import { prepareProcess } from './prepare-process.ts'

const exit = process.exit.bind(process)
const jobFile = process.env[COMMAND_JOB]

if (jobFile !== undefined && isMainThread && !isPackageRunner(process.argv[1])) {
  watch(parseJson(fs.readFileSync(jobFile, 'utf8')) as unknown as CommandJob)
}

function watch(job: CommandJob): void {
  endWithProcess(job.supervisor)
  leaveOut(COMMAND_JOB)
  const redactor = createRedactor(job.plan.redaction, watchEnvironment(process.env))
  // What is a secret in the arguments is one wherever it goes.
  redactor.redact(process.argv)
  const facts = keepFacts(job, redactor)
  const prepared = prepareProcess(withPipeOfTsx(job), {
    write: facts.write,
    usesWebSockets: namesWebSocket(),
  })
  const { hosts } = slot()
  const toCome: Host = {
    mode: job.plan.mode === 'record' ? 'record' : 'replay',
    ownsProcess: true,
    call: boundary => begin().call(boundary),
    enclosing: () => null,
    setOutput: value => begin().setOutput(value),
    service: (name, url) => facts.write({ kind: 'service', name, url }),
    note: (code, detail) => facts.write({ kind: 'note', code, detail }),
  }
  hosts.add(toCome)
  const own = createOwning(job, redactor)

  function begin(): Host {
    own()
    const journal = openChildJournal(job, redactor, exit)
    const run = prepared.createRun({ write: journal.write, redactor, endsWhenIdle: true })
    endWithThisProcess(run, journal)
    hosts.delete(toCome)
    const host = run.beginHere()
    facts.goTo(journal)
    return host
  }
}

/** What happens before the process owns the run is part of it only if it ever does; a refused connection always is. */
function keepFacts(job: CommandJob, redactor: Redactor) {
  const kept: Fact[] = []
  let journal: ChildJournal | null = null
  return {
    write: (fact: Fact): void => {
      if (journal !== null) journal.write(fact)
      else if (fact.kind === 'blocked') writeOnce(job, fact, redactor)
      else kept.push(fact)
    },
    goTo: (opened: ChildJournal): void => {
      journal = opened
      for (const fact of kept) opened.write(fact)
    },
  }
}

/** Takes the run, or throws why not: again at each call, but told once, as who writes for ever is never silent. */
function createOwning(job: CommandJob, redactor: Redactor): () => void {
  let refusal: { readonly error: unknown } | null = null
  return () => {
    try {
      if (refusal === null) ownRun(job.owner)
    } catch (error) {
      refusal = { error }
      if (isStepforkError(error)) writeOnce(job, notStarted(error), redactor)
    }
    if (refusal !== null) throw refusal.error
  }
}

function notStarted({ code, message, hint }: StepforkError): Fact {
  return { kind: 'not-started', code, message, hint, stack: null }
}

function writeOnce(job: CommandJob, fact: Fact, redactor: Redactor): void {
  const journal = openJournal(job.journal, redactor)
  journal.append(fact)
  journal.close()
}

/** As a script ends: by its exit code, and by the error that nobody caught. */
function endWithThisProcess(run: Run, journal: ChildJournal): void {
  let uncaught: { readonly error: unknown } | null = null
  catchRefusals(run, journal.write, reason => {
    // A listener of the agent's own has seen it, else it ends the process as it would without us.
    if (process.listenerCount('unhandledRejection') === 1) throw reason
  })
  process.on('uncaughtExceptionMonitor', error => {
    uncaught = { error }
  })
  process.on('exit', code => {
    run.endHere(endOf(Number(process.exitCode ?? code), uncaught))
    journal.close()
    if (journal.hasFailed) process.exitCode = JOURNAL_FAILED
  })
}

/** Node's own code for a top-level await that nothing can end any more. */
const NEVER_SETTLED = 13

function endOf(code: number, uncaught: { readonly error: unknown } | null): RunEnd {
  if (code === 0) return { status: 'completed', value: undefined }
  if (uncaught !== null) return { status: 'failed', error: uncaught.error }
  return code === NEVER_SETTLED ? { status: 'stalled' } : { status: 'exited', code }
}

/** By which tsx talks to the Node that it has started, before the agent is loaded. */
function withPipeOfTsx(job: CommandJob): CommandJob {
  if (job.closedNetworkAllows === null) return job
  const pipe = join(tmpdir(), `tsx-${process.geteuid?.() ?? userInfo().username}`, `${process.ppid}.pipe`)
  return { ...job, closedNetworkAllows: [...job.closedNetworkAllows, `:${pipe}`] }
}

function namesWebSocket(): boolean {
  try {
    return fs.readFileSync(process.argv[1] ?? '', 'utf8').includes('WebSocket')
  } catch {
    return false
  }
}
