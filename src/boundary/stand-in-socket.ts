import { Socket } from 'node:net'

/** What a request of node:http writes to and reads from in place of a connection. */
export interface StandIn {
  readonly socket: Socket
  /** All that was written to it. */
  written(): Buffer
  /** Hands bytes to the request; resolves when it wants more. */
  give(bytes: Uint8Array): Promise<void>
  /** All else is the last: when the request lets go of the connection then, it has not broken it off. */
  last(): void
  /** Calls back when the request breaks the connection off. */
  onBreak(callback: () => void): void
  /** The connection ends, as a server would end it. */
  end(): void
  /** The connection breaks. */
  destroy(error?: Error): void
}

/** A `Socket` that never connects: what asks it for time-outs and the like finds them. */
export function openStandIn(isSecure: boolean): StandIn {
  const parts: Buffer[] = []
  let wake = (): void => {}
  let head = ''
  const socket = new Socket()
  const refresh = (): void => (socket as unknown as { _unrefTimer(): void })._unrefTimer()
  const write = (chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void => {
    const part = Buffer.from(chunk as string, encoding)
    parts.push(part)
    refresh()
    if (!head.includes('\r\n\r\n')) {
      head += part.toString('latin1')
      if (isAskingFirst(head)) socket.push('HTTP/1.1 100 Continue\r\n\r\n')
    }
    done()
  }
  Object.assign(socket, { _read: () => wake(), _write: write, _writev: null })
  if (isSecure) Object.assign(socket, { encrypted: true, authorized: true })
  let isLast = false
  socket.once('close', () => wake())
  // Nobody keeps it alive for another request.
  socket.once('free', () => socket.destroy())
  return {
    socket,
    written: () => Buffer.concat(parts),
    give: bytes =>
      new Promise(done => {
        wake = done
        refresh()
        if (socket.destroyed || socket.push(Buffer.from(bytes))) done()
      }),
    last: () => {
      isLast = true
    },
    onBreak: callback => void socket.once('close', () => isLast || callback()),
    end: () => void (socket.destroyed || socket.push(null)),
    destroy: error => void socket.destroy(error),
  }
}

/** A request that asks first whether its body is wanted is told so: the body is needed to know what it asks for. */
function isAskingFirst(head: string): boolean {
  return head.endsWith('\r\n\r\n') && /\r\nexpect: *100-continue\r\n/i.test(head)
}
