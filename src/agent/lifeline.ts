/**
 * The agent's side of "no orphan stays behind": a pipe from the supervisor that carries nothing, and whose end says that
 * the supervisor is gone, also where it was killed and could end nobody. A loop that never comes back cannot see it.
 */
import net from 'node:net'
import { LIFELINE_DESCRIPTOR } from './child-job.ts'

const kill = process.kill.bind(process)
const exit = process.exit.bind(process)

/** Ends this process, and all that it started, with the supervisor. Keeps nothing alive. */
export function endWithSupervisor(): void {
  const lifeline = new net.Socket({ fd: LIFELINE_DESCRIPTOR, readable: true, writable: false })
  lifeline.on('error', endGroup)
  lifeline.on('close', endGroup)
  lifeline.resume()
  lifeline.unref()
}

function endGroup(): void {
  try {
    kill(-process.pid, 'SIGKILL')
  } catch {
    // Where there are no groups of processes.
    exit(1)
  }
}
