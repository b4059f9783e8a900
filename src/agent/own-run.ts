/** Of several processes of a command the first that makes a call owns the run: what two of them ask cannot be put in one order. */
import fs from 'node:fs'
import { basename } from 'node:path'
import { StepforkError } from '../errors.ts'

// Kept at import: the agent may replace them.
const { openSync, readFileSync, writeSync, closeSync } = fs

/** Takes the run for this process. Throws AGENT_MULTI_PROCESS where another one has it. */
export function ownRun(ownerFile: string): void {
  try {
    const fd = openSync(ownerFile, 'wx', 0o600)
    writeSync(fd, nameOfProcess())
    closeSync(fd)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw twoProcesses(readFileSync(ownerFile, 'utf8'))
  }
}

function twoProcesses(first: string): StepforkError {
  return new StepforkError(
    'AGENT_MULTI_PROCESS',
    `two processes of the command make calls: first ${first}, then ${nameOfProcess()}`,
    'A recording is the run of one process. Name the command that starts only that one: stepfork record -- node agent.js',
  )
}

/** No arguments: they may hold anything. */
function nameOfProcess(): string {
  const [program = 'node', script] = process.argv
  return `${[program, ...(script === undefined ? [] : [script])].map(path => basename(path)).join(' ')} (pid ${process.pid})`
}
