/** Datagrams. One that is sent without a callback is dropped in silence, as a network would lose it. */
import dgram from 'node:dgram'
import { addOwnPort } from '../own-ports.ts'
import { patch } from '../patch.ts'
import { addressText, type OpenAddresses } from './open-addresses.ts'
import type { Refuse } from './refuse.ts'

type Method = (this: dgram.Socket, ...args: unknown[]) => unknown

export function guardDatagrams(open: OpenAddresses, refuse: Refuse): (() => void)[] {
  return [noteBound(), guardSend(open, refuse), guardConnect(open, refuse)]
}

function noteBound(): () => void {
  return patchMethod('bind', bind => {
    return function (...args) {
      this.once('listening', () => addOwnPort('udp', this.address().port))
      return bind.apply(this, args)
    }
  })
}

function guardSend(open: OpenAddresses, refuse: Refuse): () => void {
  return patchMethod('send', send => {
    return function (...args) {
      const { host, port } = receiverOf(args)
      // Without a port the socket is connected, and was allowed to be.
      if (port === undefined || open.has('udp', host, port)) return send.apply(this, args)
      const error = refuse(`a datagram to ${addressText(host, port)}`)
      callBack(args, error)
      return undefined
    }
  })
}

function guardConnect(open: OpenAddresses, refuse: Refuse): () => void {
  return patchMethod('connect', connect => {
    return function (...args) {
      const [port, address] = args as [number, unknown]
      const host = typeof address === 'string' ? address : 'localhost'
      if (open.has('udp', host, port)) return connect.apply(this, args)
      const error = refuse(`datagrams to ${addressText(host, port)}`)
      if (!callBack(args, error)) process.nextTick(() => this.emit('error', error))
      return undefined
    }
  })
}

/** `(msg, port, address)` or `(msg, offset, length, port, address)`, told apart as Node does it. */
function receiverOf(args: readonly unknown[]): { readonly host: string; readonly port: number | undefined } {
  const [, second, third, fourth, fifth] = args
  const hasOffset = Boolean(fifth) || (Boolean(fourth) && typeof fourth !== 'function')
  const [port, host] = hasOffset ? [fourth, fifth] : [second, third]
  return {
    host: typeof host === 'string' ? host : 'localhost',
    port: typeof port === 'number' || typeof port === 'string' ? Number(port) : undefined,
  }
}

function callBack(args: readonly unknown[], error: Error): boolean {
  const callback = args.findLast(arg => typeof arg === 'function') as ((error: Error) => void) | undefined
  if (callback === undefined) return false
  process.nextTick(callback, error)
  return true
}

function patchMethod(name: 'bind' | 'send' | 'connect', make: (original: Method) => Method): () => void {
  return patch(dgram.Socket.prototype as unknown as { [name: string]: Method }, name, original =>
    make(original as Method),
  )
}
