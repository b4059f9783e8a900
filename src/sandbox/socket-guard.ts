/** Connections of node:net, by which http, http2, tls and fetch connect as well. */
import net from 'node:net'
import { watchListening } from '../own-ports.ts'
import { patch } from '../patch.ts'
import { addressText, type OpenAddresses } from './open-addresses.ts'
import type { Refuse } from './refuse.ts'

export function guardSockets(open: OpenAddresses, refuse: Refuse): (() => void)[] {
  return [watchListening(), guardConnect(open, refuse)]
}

function guardConnect(open: OpenAddresses, refuse: Refuse): () => void {
  return patch(net.Socket.prototype, 'connect', original => {
    const connect = original as (...args: unknown[]) => net.Socket
    return function (this: net.Socket, ...args: unknown[]) {
      const { host, port } = destinationOf(args)
      if (open.has('tcp', host, port)) return connect.apply(this, args)
      const error = refuse(`a connection to ${host === '' ? port : addressText(host, port)}`)
      Object.assign(this, { connecting: true })
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}

interface Destination {
  readonly host: string
  readonly port: number | string
}

/** Node passes its own calls as one normalised list. Host is empty for a path (a Unix socket, a pipe). */
function destinationOf(args: readonly unknown[]): Destination {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as { host?: string; port?: number | string; path?: string | null }
    // node:http passes `path: null` for a connection to a host.
    return path == null ? { host: host ?? 'localhost', port: Number(port) } : { host: '', port: path }
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { host: '', port: first }
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) }
}
