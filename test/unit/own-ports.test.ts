import { once } from 'node:events'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isOwnPort, watchListening } from '../../src/own-ports.ts'

const listening = async (...args: unknown[]): Promise<net.Server> => {
  const server = net.createServer()
  Reflect.apply(server.listen, server, args)
  await once(server, 'listening')
  return server
}
const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port

it('knows the ports that servers of this process listen on, by every name of this machine', async () => {
  const undo = watchListening()
  const server = await listening(0)
  for (const host of ['localhost', '127.0.0.1', '::1', '127.8.8.8', '::ffff:127.0.0.1', '::', '0.0.0.0'])
    expect(isOwnPort('tcp', host, portOf(server))).toBe(true)
  expect(isOwnPort('tcp', 'elsewhere.example', portOf(server))).toBe(false)
  expect(isOwnPort('tcp', 'localhost', 1)).toBe(false)
  expect(isOwnPort('udp', 'localhost', portOf(server))).toBe(false)
  server.close()
  undo()
})

it('knows a port as soon as its server can tell it', async () => {
  const undo = watchListening()
  const server = net.createServer()
  server.listen(0)
  expect(isOwnPort('tcp', 'localhost', portOf(server))).toBe(true)
  server.close()
  const isKnown: boolean[] = []
  const other = net.createServer()
  other.on('listening', () => isKnown.push(isOwnPort('tcp', 'localhost', portOf(other))))
  other.listen(0, 'localhost')
  await once(other, 'listening')
  expect(isKnown).toEqual([true])
  other.close()
  undo()
})

it('leaves a server that tries many ports with one listener', async () => {
  const undo = watchListening()
  const busy = await listening(0)
  const server = net.createServer()
  for (let tries = 0; tries < 12; tries++) {
    server.listen(portOf(busy))
    await once(server, 'error')
  }
  expect(server.listenerCount('listening')).toBe(1)
  busy.close()
  undo()
})

it('knows servers that were there before', async () => {
  const server = await listening(0)
  expect(isOwnPort('tcp', 'localhost', portOf(server))).toBe(false)
  watchListening()()
  expect(isOwnPort('tcp', 'localhost', portOf(server))).toBe(true)
  server.close()
})

it('knows paths of Unix sockets', async () => {
  const undo = watchListening()
  const path = join(tmpdir(), `own-ports-${process.pid}.sock`)
  const server = await listening(path)
  expect(isOwnPort('tcp', '', path)).toBe(true)
  server.close()
  undo()
})

it('watches as long as one of several who asked for it has not taken it back', async () => {
  const { listen } = net.Server.prototype
  const [first, second] = [watchListening(), watchListening()]
  const patched = net.Server.prototype.listen
  expect(patched).not.toBe(listen)
  first()
  first()
  expect(net.Server.prototype.listen).toBe(patched)
  second()
  expect(net.Server.prototype.listen).toBe(listen)
})
