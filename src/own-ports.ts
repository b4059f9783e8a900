/**
 * Where this process itself listens: what an agent says to its own ports is no traffic, neither a call nor a thing to
 * refuse. A port stays known after its server has closed: a client that is late asks nobody else.
 */
import net from 'node:net'
import { patch } from './patch.ts'

const own = new Set<string>()
let watchers = 0
let undo = (): void => {}

/** From now on servers are noted as they begin to listen, those that already do at once. Returns how to stop. */
export function watchListening(): () => void {
  if (watchers++ === 0) {
    noteListeners()
    undo = patchListen()
  }
  let isOn = true
  return () => {
    if (isOn && --watchers === 0) undo()
    isOn = false
  }
}

/** A port, or the path of a Unix socket or pipe, on which this process listens. */
export function addOwnPort(protocol: 'tcp' | 'udp', port: number | string): void {
  own.add(`${protocol} ${port}`)
}

/** `host` is empty for a path. */
export function isOwnPort(protocol: 'tcp' | 'udp', host: string, port: number | string): boolean {
  return own.has(`${protocol} ${port}`) && (host === '' || isLoopback(host))
}

/** Also the address of no machine, which servers tell as theirs: who connects to it reaches this one. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '::', '0.0.0.0'].includes(host) || /^(::ffff:)?127\./.test(host)
}

/** Servers that were there before anybody watched; Node has no other list of them. */
function noteListeners(): void {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => unknown[] }
  for (const handle of handles?.call(process) ?? []) if (handle instanceof net.Server) note(handle)
}

function patchListen(): () => void {
  return patch(net.Server.prototype, 'listen', original => {
    const listen = original as (...args: unknown[]) => net.Server
    return function (this: net.Server, ...args: unknown[]) {
      // One, however often it tries, and before all others: they may ask at once.
      this.off('listening', noteThis).prependOnceListener('listening', noteThis)
      const server = listen.apply(this, args)
      // A port is mostly there before it is told.
      if (this.listening) note(this)
      return server
    } as typeof original
  })
}

function noteThis(this: net.Server): void {
  note(this)
}

function note(server: net.Server): void {
  const address = server.address()
  if (address !== null) addOwnPort('tcp', typeof address === 'string' ? address : address.port)
}
