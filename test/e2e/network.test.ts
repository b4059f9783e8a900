/** In a frozen replay the network is closed around the calls that the recording explains. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { causesOf, type ReplayedRun } from './run-cli.ts'
import { recordedOnce } from './workspace.ts'

const HERE = '/* here */'
const recorded = recordedOnce(`
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import dnsCallback from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { traceTool } from 'stepfork'

const step = traceTool('step', async () => 1)
export const unused = [dgram, dns, dnsCallback, http, http2, https, net, tls]

function ended(emitter: { on(name: string, listener: (value: unknown) => void): unknown }) {
  return new Promise(done => {
    emitter.on('error', done)
    emitter.on('close', done)
  })
}

export async function run() {
  await step()
  ${HERE}
  return 'done'
}

export const more = [ended]
`)

/** An address that nobody routes: were the network open, the connection would hang. */
const AWAY = '192.0.2.1'
const ATTEMPTS: readonly [string, string, string][] = [
  ['http2.connect', `await ended(http2.connect('https://${AWAY}:8443'))`, `${AWAY}:8443`],
  ['net.connect', `await ended(net.connect(5432, '${AWAY}'))`, `${AWAY}:5432`],
  ['net.connect to a path', "await ended(net.connect('/var/run/postgres.sock'))", '/var/run/postgres.sock'],
  ['tls.connect', `await ended(tls.connect(6380, '${AWAY}'))`, `${AWAY}:6380`],
  [
    'new WebSocket',
    `if (typeof WebSocket === 'undefined') await ended(net.connect(8080, '${AWAY}')); else await new Promise(done => { new WebSocket('ws://${AWAY}:8080').onerror = done })`,
    `${AWAY}:8080`,
  ],
  [
    'a datagram',
    `const socket = dgram.createSocket('udp4'); try { socket.send('x', 53, '${AWAY}') } catch {} socket.close()`,
    `${AWAY}:53`,
  ],
  ['dns.lookup', "await dns.lookup('db.example.com').catch(() => {})", 'db.example.com'],
  ['dns.resolve4', "await dns.resolve4('db.example.com').catch(() => {})", 'db.example.com'],
  [
    'dns.lookup with a callback',
    "await new Promise(done => dnsCallback.lookup('db.example.com', done))",
    'db.example.com',
  ],
  ['dns.resolveMx', "await dns.resolveMx('example.com').catch(() => {})", 'example.com'],
  [
    'a resolver of its own',
    "await new dns.Resolver().resolve4('db.example.com').catch(() => {})",
    'db.example.com',
  ],
]

describe('in a frozen replay', () => {
  for (const [what, code, address] of ATTEMPTS) {
    it(`${what} is refused, named with its line, and red`, async () => {
      const { code: exitCode, run } = await recorded.replay([[HERE, code]])
      expect([exitCode, [...new Set(causesOf(run))]]).toEqual([1, ['blocked']])
      expect(blocked(run)).toContain(address)
      expect(run.divergences[0]?.source).toMatchObject({ file: 'agent.ts', line: 24 })
      expect(run.output.equal).toBe(true)
    })
  }

  it('the same connection tried again and again is one divergence', async () => {
    const { run } = await recorded.replay([
      [HERE, `for (let i = 0; i < 3; i++) await ended(net.connect(8080, '${AWAY}'))`],
    ])
    expect(run.divergences.map(({ kind, occurrences }) => [kind, occurrences])).toEqual([['blocked', 3]])
  })

  it("the agent's own server on a port of its own answers", async () => {
    const { code, run } = await recorded.replay([
      [
        HERE,
        `const server = http.createServer((_, response) => response.end('here')).listen(0, '127.0.0.1')
  await new Promise(done => server.once('listening', done))
  const { port } = server.address() as { port: number }
  const text = await (await fetch(\`http://127.0.0.1:\${port}\`)).text()
  server.close()
  server.closeAllConnections()
  if (text !== 'here') throw new Error(text)`,
      ],
    ])
    expect([code, causesOf(run)]).toEqual([0, []])
  })

  it('--allow-net opens one address', async () => {
    const { port, server } = await listening()
    const fetchIt = `await fetch('http://127.0.0.1:${port}/').then(reply => reply.text())`
    const { code, run } = await recorded.replay([[HERE, fetchIt]], ['--allow-net', `127.0.0.1:${port}`])
    expect([code, causesOf(run)]).toEqual([0, []])
    expect(server.requests).toBe(1)
  })

  it('--allow-net that is no address is refused, exit 2', async () => {
    const { code, stderr } = await recorded.report([], ['--allow-net', 'localhost'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('localhost:5432')])
  })

  it('an unhandled refusal of the network is the error that the agent ends with, and follows from it', async () => {
    const { code, run } = await recorded.replay([
      [HERE, `await ended(net.connect(8080, '${AWAY}')).then(error => { throw error })`],
    ])
    expect([code, causesOf(run)]).toEqual([1, ['blocked']])
    expect(run.divergences.map(found => found.kind)).toEqual(['blocked', 'agent-error'])
  })

  it('the report names the address and the line', async () => {
    const { stdout } = await recorded.report([[HERE, `await ended(net.connect(5432, '${AWAY}'))`]])
    expect(stdout).toContain(`blocked: a connection to ${AWAY}:5432, which no recorded call explains`)
    expect(stdout).toContain('agent.ts:24:')
    expect(stdout).toContain('1 blocked')
  })
})

describe('a request by HTTP that was not recorded', () => {
  const TO_NAME = 'https://api.example.com/v1'
  for (const [what, code, host] of [
    ['fetch to an address', `await fetch('http://${AWAY}:8080/x').catch(() => {})`, AWAY],
    ['fetch to a name', `await fetch('${TO_NAME}').catch(() => {})`, 'api.example.com'],
    ['fetch to a local port of another program', "await fetch('http://127.0.0.1:45193')", '127.0.0.1'],
    ['http.get', `await new Promise(done => http.get('http://${AWAY}:8080/x', done))`, AWAY],
    [
      'https.request',
      `await new Promise(done => https.request('${TO_NAME}', done).end())`,
      'api.example.com',
    ],
  ] as const) {
    it(`by ${what} is a call too much, named with its line, and never sent`, async () => {
      const { code: exitCode, run } = await recorded.replay([[HERE, code]])
      expect([exitCode, causesOf(run)]).toEqual([1, ['extra']])
      expect(run.divergences[0]).toMatchObject({
        label: `http GET ${host}`,
        source: { file: 'agent.ts', line: 24 },
      })
    })
  }
})

describe('what nobody watches', () => {
  for (const [what, code, words] of [
    ['a child process', "cp.execFileSync('true')", 'the child process true'],
    [
      'a shell command',
      "await new Promise(done => cp.exec('true --secret', done))",
      'the child process true',
    ],
    [
      'a worker thread',
      "await new Promise(done => new Worker('1', { eval: true }).on('exit', done))",
      'a worker thread',
    ],
  ] as const) {
    it(`is told in a note: ${what}`, async () => {
      const imports =
        "const cp = await import('node:child_process'); const { Worker } = await import('node:worker_threads')"
      const { code: exitCode, run } = await recorded.replay([[HERE, `${imports}\n${code}`]])
      expect([exitCode, run.notes.filter(note => note.code === 'unwatched').length]).toEqual([0, 1])
      expect(run.notes[0]?.message).toMatch(new RegExp(`: ${words}$`))
    })
  }
})

describe('while recording', () => {
  it('the network is open', async () => {
    const { port, server } = await listening()
    const { code } = await recorded.record([[HERE, `await fetch('http://127.0.0.1:${port}/')`]])
    expect([code, server.requests]).toEqual([0, 1])
  })
})

function blocked(run: ReplayedRun): string {
  return run.divergences.map(found => found.message).join('\n')
}

async function listening(): Promise<{ port: number; server: { requests: number } & Server }> {
  const server = Object.assign(
    createServer((_, response) => {
      server.requests++
      response.end('ok')
    }),
    { requests: 0 },
  )
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, server }
}
