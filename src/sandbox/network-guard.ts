/**
 * Closes the network of this process: a connection that no recorded call explains is refused and reported. An agent may
 * listen, and talk to its own ports. A patch is no wall against hostile code (docs say so); it makes `live calls 0` a
 * checked fact for everything that goes through node:net, dgram and dns: fetch, http, http2, tls, WebSocket.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { patch } from '../patch.ts'

export interface NetworkGuardOptions {
  /** Addresses that stay open, `host:port`. */
  readonly allow: readonly string[]
  readonly onBlocked: (what: string) => void
}

/** The error that a refused connection fails with. */
export interface BlockedError extends Error {
  readonly code: 'ERR_STEPFORK_BLOCKED'
}

/** Installs the guard; call it before the agent is loaded. The returned function opens the network again. */
export function closeNetwork(options: NetworkGuardOptions): () => void {
  const ownPorts = new Set<number | string>()
  const refuse = (what: string): BlockedError => {
    options.onBlocked(what)
    const message = `stepfork: ${what} was refused, the network is closed in a replay`
    return Object.assign(new Error(message), { code: 'ERR_STEPFORK_BLOCKED' as const })
  }
  const undo = [
    noteOwnPorts(ownPorts),
    guardSockets(options.allow, ownPorts, refuse),
    ...guardDatagrams(refuse),
    ...guardNames(options.allow, refuse),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
  }
}

type Refuse = (what: string) => BlockedError

function noteOwnPorts(ownPorts: Set<number | string>): () => void {
  return patch(net.Server.prototype, 'listen', original => {
    const listen = original as (...args: unknown[]) => net.Server
    return function (this: net.Server, ...args: unknown[]) {
      this.once('listening', () => {
        const address = this.address()
        if (address !== null) ownPorts.add(typeof address === 'string' ? address : address.port)
      })
      return listen.apply(this, args)
    } as typeof original
  })
}

interface Destination {
  readonly host: string
  readonly port: number | string
}

function guardSockets(
  allow: readonly string[],
  ownPorts: ReadonlySet<number | string>,
  refuse: Refuse,
): () => void {
  return patch(net.Socket.prototype, 'connect', original => {
    const connect = original as (...args: unknown[]) => net.Socket
    return function (this: net.Socket, ...args: unknown[]) {
      const { host, port } = destinationOf(args)
      const isOwn = ownPorts.has(port) && (host === '' || isLoopback(host))
      if (isOwn || allow.includes(`${host}:${port}`)) return connect.apply(this, args)
      const error = refuse(host === '' ? `a connection to ${port}` : `a connection to ${host}:${port}`)
      Object.assign(this, { connecting: true })
      process.nextTick(() => this.destroy(error))
      return this
    } as typeof original
  })
}

/** Node passes its own calls as one normalised list. Host is empty for a path (a Unix socket, a pipe). */
function destinationOf(args: readonly unknown[]): Destination {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { host, port, path } = first as { host?: string; port?: number | string; path?: string }
    return path === undefined ? { host: host ?? 'localhost', port: Number(port) } : { host: '', port: path }
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return { host: '', port: first }
  return { host: typeof second === 'string' ? second : 'localhost', port: Number(first) }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host)
}

function guardDatagrams(refuse: Refuse): (() => void)[] {
  const throwing = (name: string) => () =>
    (() => {
      throw refuse(`a datagram (dgram ${name})`)
    }) as never
  return [
    patch(dgram.Socket.prototype, 'send', throwing('send')),
    patch(dgram.Socket.prototype, 'connect', throwing('connect')),
  ]
}

const NAME_QUERIES = [
  'lookup',
  'resolve',
  'resolve4',
  'resolve6',
  'resolveAny',
  'resolveTxt',
  'resolveSrv',
  'reverse',
] as const

function guardNames(allow: readonly string[], refuse: Refuse): (() => void)[] {
  const isOpen = (name: unknown): boolean =>
    typeof name !== 'string' ||
    isLoopback(name) ||
    net.isIP(name) !== 0 ||
    allow.some(address => address.startsWith(`${name}:`))
  const withCallback = NAME_QUERIES.map(query =>
    patch(
      dns as unknown as { [name: string]: (...args: unknown[]) => unknown },
      query,
      original =>
        (...args) => {
          if (isOpen(args[0])) return original(...args)
          const error = refuse(`a name query for ${args[0]}`)
          process.nextTick(() => (args.at(-1) as (error: Error) => void)(error))
          return undefined
        },
    ),
  )
  const withPromise = NAME_QUERIES.map(query =>
    patch(
      dns.promises as unknown as { [name: string]: (...args: unknown[]) => unknown },
      query,
      original =>
        async (...args) => {
          if (isOpen(args[0])) return original(...args)
          throw refuse(`a name query for ${args[0]}`)
        },
    ),
  )
  return [...withCallback, ...withPromise]
}
