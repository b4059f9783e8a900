/**
 * The process of an agent file: reads its job, loads the agent, runs it to its end, and writes the journal. One process a
 * run, never used again. Everything loaded here starts while the supervisor still bundles the agent.
 */
import fs from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Host, slot } from '../boundary/slot.ts'
import { isStepforkError, StepforkError } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { revive } from '../json/revive.ts'
import { chooseEntry, type Entry } from '../load/choose-entry.ts'
import { readOutput } from '../load/read-output.ts'
import { showPath } from '../load/show-path.ts'
import { agentArguments } from '../run/agent-arguments.ts'
import { watchEnvironment } from '../run/environment-secrets.ts'
import type { Run } from '../run/run-agent.ts'
import { createRedactor } from '../trace/redactor.ts'
import { catchRefusals } from './catch-refusals.ts'
import { type ChildJob, JOB_DESCRIPTOR, JOURNAL_FAILED } from './child-job.ts'
import { type ChildJournal, openChildJournal } from './child-journal.ts'
import { endWithSupervisor } from './lifeline.ts'
import { prepareProcess } from './prepare-process.ts'

const exit = process.exit.bind(process)
const writeToStderr = fs.writeSync.bind(fs, 2)

main(parseJson(fs.readFileSync(JOB_DESCRIPTOR, 'utf8')) as unknown as ChildJob)

async function main(job: ChildJob): Promise<void> {
  endWithSupervisor()
  const redactor = createRedactor(job.plan.redaction, watchEnvironment(process.env))
  // What is a secret in the input is one wherever it goes.
  redactor.redact(job.input)
  const journal = openChildJournal(job, redactor, exit)
  const usesWebSockets =
    job.closedNetworkAllows !== null && fs.readFileSync(job.code, 'utf8').includes('WebSocket')
  const prepared = prepareProcess(job, { write: journal.write, usesWebSockets })
  const run = prepared.createRun({ write: journal.write, redactor, endsWhenIdle: job.isScript === true })
  catchStrayErrors(run, journal)
  endOnExit(run, journal, job)
  process.argv = [process.argv[0]!, job.isScript === false ? process.argv[1]! : job.file, ...job.argv]
  await runAgent(run, journal, job)
  journal.close()
  exit(journal.hasFailed ? JOURNAL_FAILED : 0)
}

async function runAgent(run: Run, journal: ChildJournal, job: ChildJob): Promise<void> {
  const load = (): Promise<object> => import(pathToFileURL(job.code).href)
  if (job.isScript === true) {
    await run.toEnd(load)
    return
  }
  const entry = await loadEntry(load, journal, job)
  const input = job.inputMarks === undefined ? job.input : revive(job.input, job.inputMarks)
  const args = agentArguments(input)
  await run.toEnd(async () => readOutput(await entry.call(...args)))
}

type FunctionEntry = Extract<Entry, { kind: 'function' }>

/** Only what the entry does is the run; a call made while the file is being imported could not be told from it. */
async function loadEntry(
  load: () => Promise<object>,
  journal: ChildJournal,
  job: ChildJob,
): Promise<FunctionEntry> {
  const { hosts } = slot()
  const importing: Host = {
    mode: job.plan.mode === 'record' ? 'record' : 'replay',
    ownsProcess: true,
    call: ({ target }) =>
      fail(journal, calledAtImport(target.kind === 'tool' ? target.name : target.model, job)),
    enclosing: () => null,
    setOutput: () => {},
    service: () => {},
    note: () => {},
  }
  hosts.add(importing)
  const stopWatching = watchImport(journal, job)
  try {
    const entry = chooseEntry(await load(), job.export, showPath(job.file))
    if (entry.kind === 'function') return entry
    throw new StepforkError('AGENT_NO_ENTRY', `${showPath(job.file)} exports nothing that can be called`)
  } catch (error) {
    return fail(journal, isStepforkError(error) ? error : importFailed(error, job))
  } finally {
    hosts.delete(importing)
    stopWatching()
  }
}

/** An import may also end the process, or wait for what can never happen. */
function watchImport(journal: ChildJournal, job: ChildJob): () => void {
  const onExit = (code: number): void =>
    failed(journal, importEnded(`ended its process (exit code ${code}) while it was being imported`, job))
  const onEmptyLoop = (): void =>
    fail(journal, importEnded('waits, while it is being imported, for something that can never happen', job))
  // Before the listener that closes the journal.
  process.prependListener('exit', onExit)
  process.on('beforeExit', onEmptyLoop)
  return () => {
    process.off('exit', onExit)
    process.off('beforeExit', onEmptyLoop)
  }
}

function importEnded(what: string, job: ChildJob): StepforkError {
  const hint =
    'What is to be replayed belongs into the exported function; a file that exports nothing is a script.'
  return new StepforkError('AGENT_IMPORT_FAILED', `${showPath(job.file)} ${what}`, hint)
}

/** The agent's own error, with its stack. */
function importFailed(cause: unknown, job: ChildJob): StepforkError {
  const thrown = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  const message = `${showPath(job.file)} failed while it was being imported: ${thrown}`
  return new StepforkError('AGENT_IMPORT_FAILED', message, null, { cause })
}

function calledAtImport(label: string, job: ChildJob): StepforkError {
  return new StepforkError(
    'AGENT_IMPORT_FAILED',
    `${showPath(job.file)} calls ${label} while it is being imported, before its entry is called`,
    'Move the call into the exported function, or export nothing to have the file replayed as a script.',
  )
}

function fail(journal: ChildJournal, error: StepforkError): never {
  failed(journal, error)
  return exit(2)
}

function failed(journal: ChildJournal, { code, message, hint, cause }: StepforkError): void {
  const stack = cause instanceof Error ? (cause.stack ?? null) : null
  journal.write({ kind: 'not-started', code, message, hint, stack })
  journal.close()
}

function catchStrayErrors(run: Run, journal: ChildJournal): void {
  catchRefusals(run, journal.write, uncaught)
  process.on('uncaughtException', uncaught)

  function uncaught(error: unknown): void {
    writeToStderr(`${error instanceof Error ? error.stack : String(error)}\n`)
    if (!run.isSettled) run.settleNow({ status: 'failed', error })
  }
}

function endOnExit(run: Run, journal: ChildJournal, job: ChildJob): void {
  process.on('exit', code => {
    // A script may end by process.exit(0); from a function it is an end that the run did not come to by itself.
    if (job.isScript === true && code === 0 && !run.isSettled && !journal.isEnded) {
      journal.write({ kind: 'settled', at: 0, status: 'completed', output: null })
    }
    journal.close()
  })
}
