/** Connections of node:net, by which http, http2, tls and fetch connect as well. */
import net from 'node:net'
import { watchListening } from '../own-ports.ts'
import { patch } from '../patch.ts'
import { destinationOf, destinationText } from './destination.ts'
import type { OpenAddresses } from './open-addresses.ts'
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
      const error = refuse(`a connection to ${destinationText({ host, port })}`)
      Object.assign(this, { connecting: true })
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}
