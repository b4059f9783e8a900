/**
 * Closes the network of this process: a connection that no recorded call explains is refused and reported. An agent may
 * listen, and talk to its own ports. A patch is no wall against hostile code (docs say so); it makes `live calls 0` a
 * checked fact for everything that goes through node:net, dgram and dns: fetch, http, http2, tls, WebSocket.
 */
import { syncBuiltinESMExports } from 'node:module'
import type { RawSite } from '../trace/journal.ts'
import { noteAskers, siteOfAsker } from './asker.ts'
import { blockedError } from './blocked-error.ts'
import { guardDatagrams } from './datagram-guard.ts'
import { guardNames } from './name-guard.ts'
import { openAddresses } from './open-addresses.ts'
import type { BlockedError, Refuse } from './refuse.ts'
import { guardSockets } from './socket-guard.ts'

export interface NetworkGuardOptions {
  /** Addresses that stay open, `host:port`. */
  readonly allow: readonly string[]
  /** The agent's own code names WebSocket, so the line that opens one is worth noting. */
  readonly usesWebSockets: boolean
  /** `what` in words (`a connection to db.local:5432`), and the frames of the code that asked for it. */
  readonly onBlocked: (what: string, site: RawSite) => void
  /** In place of the usual error. */
  readonly errorFor?: (what: string) => BlockedError
}

/** Installs the guard; call it before the agent is loaded. The returned function opens the network again. */
export function closeNetwork(options: NetworkGuardOptions): () => void {
  const open = openAddresses(options.allow)
  const refuse: Refuse = what => {
    options.onBlocked(what, siteOfAsker())
    return (options.errorFor ?? refusedInReplay)(what)
  }
  const undo = [
    ...noteAskers(options.usesWebSockets),
    ...guardSockets(open, refuse),
    ...guardDatagrams(open, refuse),
    ...guardNames(open, refuse),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo.reverse()) restore()
    syncBuiltinESMExports()
  }
}

function refusedInReplay(what: string): BlockedError {
  return blockedError(`stepfork: ${what} was refused, the network is closed in a replay`)
}
