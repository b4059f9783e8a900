/**
 * The agent's side of "no orphan stays behind": the supervisor is gone, also where it was killed and could end nobody. A
 * loop that never comes back cannot see it.
 */
import net from 'node:net'
import { real } from '../patch.ts'
import { LIFELINE_DESCRIPTOR } from './child-job.ts'

const kill = process.kill.bind(process)
const exit = process.exit.bind(process)

/** Ends this process, and all that it started, with the supervisor: a pipe from it carries nothing and ends with it. Keeps nothing alive. */
export function endWithSupervisor(): void {
  const lifeline = new net.Socket({ fd: LIFELINE_DESCRIPTOR, readable: true, writable: false })
  lifeline.on('error', endGroup)
  lifeline.on('close', endGroup)
  lifeline.resume()
  lifeline.unref()
}

const LOOK_EVERY_MS = 200

/** The same for a process that a command started, which did not get the pipe. */
export function endWithProcess(pid: number): void {
  real.setTimeout(look, LOOK_EVERY_MS).unref()

  function look(): void {
    try {
      kill(pid, 0)
    } catch {
      endGroup()
    }
    real.setTimeout(look, LOOK_EVERY_MS).unref()
  }
}

function endGroup(): void {
  try {
    kill(0, 'SIGKILL')
  } catch {
    // Where there are no groups of processes.
    exit(1)
  }
}
