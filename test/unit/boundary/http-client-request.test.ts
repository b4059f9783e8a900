import { once } from 'node:events'
import http, { get, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchClientRequests } from '../../../src/boundary/http-client-request.ts'
import { inFreshProcess } from './fresh-process.ts'
import { type Kept, recording } from './http-hosts.ts'
import { type OddServer, startOddServer } from './odd-server.ts'
import { type ThreeWays, threeWays } from './three-ways.ts'

let server: OddServer
beforeAll(async () => {
  server = await startOddServer()
})
afterAll(() => server.stop())

const same = (agent: () => Promise<unknown>): Promise<ThreeWays> =>
  threeWays(server, watchClientRequests, agent)
const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))

/** Sends with node:http or node:https; all of the response that an agent can see. */
async function ask(
  path: string,
  options: RequestOptions & { body?: string | Readable } = {},
): Promise<unknown> {
  const base = options.protocol === 'https:' ? server.https : server.http
  const { body, ...rest } = options
  const request = (base.startsWith('https') ? https : http).request(base + path, {
    ...rest,
    ...(base.startsWith('https') && { ca: server.ca }),
  })
  const errors: string[] = []
  request.on('error', ({ message }) => errors.push(message))
  if (body instanceof Readable) body.pipe(request)
  else request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const bytes = await buffer(response).catch(error => Buffer.from(`${error.message}, ${errors}`))
  const { statusCode, statusMessage, httpVersion, rawHeaders, trailers, complete } = response
  return {
    statusCode,
    statusMessage,
    httpVersion,
    rawHeaders,
    trailers,
    complete,
    bytes: bytes.toString('latin1'),
  }
}

/** What a request says of itself until it is closed. */
async function eventsOf(request: http.ClientRequest): Promise<unknown> {
  const events: unknown[] = []
  for (const name of ['response', 'timeout', 'abort', 'error'])
    request.on(name, detail =>
      events.push([name, detail instanceof Error ? [detail.name, detail.message] : null]),
    )
  await new Promise(done => request.once('close', done))
  return [events, request.destroyed, request.aborted]
}

const PATHS = [
  '/echo?q=1',
  '/gzip',
  '/br',
  '/redirect',
  '/cookies',
  '/binary',
  '/until-close',
  '/status?code=204',
  '/status?code=304',
  '/status?code=500',
  '/status?code=200&text=Fine',
  '/plain-status?code=404',
  '/reset-before',
  '/reset-amid',
  '/cut-amid',
]

describe.each(['http:', 'https:'])('a request by node:%s', protocol => {
  it.each(PATHS)('gets what it got: %s', async path => {
    const { kept } = await same(() => ask(path, { protocol }))
    expect(kept).toHaveLength(1)
  })

  it.each(['HEAD', 'DELETE', 'OPTIONS', 'PATCH'])('may be a %s', async method => {
    await same(() => ask('/echo', { protocol, method }))
  })

  it('sends its body once, and tells it whole', async () => {
    const { kept } = await same(() =>
      ask('/echo', { protocol, method: 'POST', body: 'text', headers: { 'X-A': '1' } }),
    )
    const { sent } = kept[0]!.call.exchange!
    expect([sent.method, String(sent.body), sent.header('x-a'), sent.header('none')]).toEqual([
      'POST',
      'text',
      '1',
      null,
    ])
    const streamed = await same(() =>
      ask('/echo', { protocol, method: 'POST', body: Readable.from(['a', 'b'.repeat(100_000), 'c']) }),
    )
    expect(String(streamed.kept[0]!.call.exchange!.sent.body)).toHaveLength(100_002)
    await same(() =>
      ask('/echo', {
        protocol,
        method: 'POST',
        body: 'list',
        headers: ['X-A', '1', 'Content-Length', '4', 'Host', 'other'] as never,
      }),
    )
  })
})

describe('a request by node:http', () => {
  it('is seen however it was made', async () => {
    const read = (request: http.ClientRequest): Promise<string> =>
      once(request.end(), 'response').then(([r]) => text(r))
    const { kept } = await same(async () => [
      await read(get(`${server.http}/echo?get`)),
      await read(new http.ClientRequest(`${server.http}/echo?new`)),
      await read(http.request(new URL(`${server.http}/echo?url`))),
      await read(
        http.request({
          host: '127.0.0.1',
          port: new URL(server.http).port,
          path: '/echo?options',
          agent: false,
        }),
      ),
    ])
    expect(kept).toHaveLength(4)
  })

  it('keeps agents that keep connections', async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    await same(() =>
      Promise.all([ask('/echo?1', { agent }), ask('/echo?2', { agent }), ask('/echo?3', { agent })]),
    )
    expect(Object.keys(agent.freeSockets)).toHaveLength(1)
    agent.destroy()
  })

  it('goes through agents with a way of their own', async () => {
    const seen: string[] = []
    class Own {
      addRequest(request: http.ClientRequest, options: RequestOptions): void {
        seen.push(String(options.path))
        ;(http.globalAgent as unknown as Own).addRequest(request, options)
      }
    }
    const undo = watchClientRequests()
    const kept: Kept[] = []
    await recording(kept, () => ask('/echo', { agent: new Own() as unknown as http.Agent }))
    undo()
    expect(kept).toHaveLength(1)
    expect(seen).toEqual(['/echo'])
  })

  it('reads a stream part by part, and closes it when it stops', async () => {
    const { asked, seen } = await same(async () => {
      const parts: string[] = []
      const [response] = (await once(get(`${server.http}/stream?parts=40&gap=20`), 'response')) as [
        IncomingMessage,
      ]
      for await (const part of response) {
        parts.push(String(part))
        if (parts.length === 3) break
      }
      await pause(100)
      // Parts that come at the same time come as one, when the machine is busy.
      return parts.join('').slice(0, 14)
    })
    expect(seen).toEqual({ value: 'part 0\npart 1\n' })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
    expect(asked.recorded[0]!.written).toBeLessThan(20)
  })

  it('of a thousand parts comes whole and in order', async () => {
    await same(() => ask('/stream?parts=1000&gap=0'))
  })

  it('gets trailers while it is recorded', async () => {
    const undo = watchClientRequests()
    expect(await recording([], () => ask('/trailers'))).toEqual(await ask('/trailers'))
    undo()
  })

  const ends: [string, (request: http.ClientRequest) => void][] = [
    ['destroy', request => request.destroy()],
    ['destroy with an error', request => request.destroy(new RangeError('mine'))],
    ['abort', request => request.abort()],
  ]
  it.each(ends)('ends by %s before the answer, at once or later', async (_, end) => {
    for (const wait of [0, 150]) {
      await same(() => {
        const request = get(`${server.http}/never`)
        if (wait > 0) setTimeout(() => end(request), wait)
        else end(request)
        return eventsOf(request)
      })
    }
  })

  it('ends by its signal, and by its time-out', async () => {
    await same(() => eventsOf(get(`${server.http}/never`, { signal: AbortSignal.timeout(40) })))
    await same(() => {
      const request = get(`${server.http}/never`, { timeout: 40 })
      request.once('timeout', () => request.destroy(new Error('timed out')))
      return eventsOf(request)
    })
    await same(() => {
      const request = get(`${server.http}/never`)
      return eventsOf(request.setTimeout(40, () => request.destroy(new Error('timed out'))))
    })
  })

  it('asks first whether its body is wanted', async () => {
    await same(async () => {
      const request = http.request(`${server.http}/echo`, {
        method: 'POST',
        headers: { expect: '100-continue' },
      })
      request.flushHeaders()
      await once(request, 'continue')
      request.end('wanted')
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      return text(response)
    })
  })

  it('is told of a server that is not there, and of a name that nobody knows', async () => {
    const refused = (): Promise<unknown> => once(get('http://127.0.0.1:61/'), 'response')
    const { seen } = await same(refused)
    expect(seen).toMatchObject({ error: { code: 'ECONNREFUSED' } })
    await same(() => once(get('http://nobody.invalid/'), 'response'))
  })

  it('has a socket that can be asked', async () => {
    await same(async () => {
      const request = get(`${server.http}/echo`)
      const [socket] = await once(request, 'socket')
      request.setNoDelay(true)
      request.setSocketKeepAlive(true)
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      const isSame = response.socket === socket
      await text(response)
      return [isSame, request.socket === socket, socket.encrypted]
    })
  })

  it('of 200 MB goes through without being kept in memory', async () => {
    const undo = watchClientRequests()
    const before = process.memoryUsage().rss
    let [size, most] = [0, 0]
    const kept: Kept[] = []
    await recording(kept, async () => {
      const [response] = (await once(get(`${server.http}/big?mb=200`), 'response')) as [IncomingMessage]
      for await (const part of response) {
        size += part.length
        kept[0]!.answer!.parts.length = 0
        most = Math.max(most, process.memoryUsage().rss)
      }
    })
    undo()
    expect(size).toBe(200 << 20)
    expect(most - before).toBeLessThan(150 << 20)
  })

  it('to upgrade, or for a tunnel, is no call', async () => {
    const { kept } = await same(async () => {
      const request = get(server.http, { headers: { connection: 'upgrade', upgrade: 'echo' } })
      const [, socket] = await once(request, 'upgrade')
      const greeting = await text(socket)
      const [connected] = await once(
        http.request(server.http, { method: 'CONNECT', path: 'a:1' }).end(),
        'connect',
      )
      connected.socket.destroy()
      return [greeting, connected.statusCode]
    }).catch(error => {
      expect(error.message).not.toContain('not recorded')
      return { kept: [] }
    })
    expect(kept).toEqual([])
  })
})

describe('clients on node:http', () => {
  const clients: [string, () => Promise<unknown>][] = [
    ['axios', () => axios.post(`${server.http}/echo`, { a: 1 }).then(({ status, data }) => [status, data])],
    [
      'axios with redirects',
      () => axios.get(`${server.http}/redirect`).then(({ data, request }) => [data, request.res.responseUrl]),
    ],
    [
      'axios with gzip',
      () => axios.get(`${server.http}/gzip`).then(({ data, headers }) => [data, { ...headers }]),
    ],
    [
      'axios with an error',
      () =>
        axios.get(`${server.http}/plain-status?code=404`).catch(error => [error.code, error.response.data]),
    ],
    [
      'axios that times out',
      () => axios.get(`${server.http}/never`, { timeout: 40 }).catch(error => [error.code, error.message]),
    ],
    [
      'axios that is refused',
      () => axios.get('http://127.0.0.1:61/').catch(error => [error.code, error.message]),
    ],
    [
      'axios as a stream',
      () =>
        axios.get(`${server.http}/stream?parts=4`, { responseType: 'stream' }).then(({ data }) => text(data)),
    ],
    [
      'axios over https',
      () =>
        axios
          .get(`${server.https}/echo`, { httpsAgent: new https.Agent({ ca: server.ca }) })
          .then(({ data }) => data),
    ],
    ['got', () => got.post(`${server.http}/echo`, { json: { a: 1 } }).json()],
    [
      'got with redirects and br',
      () => Promise.all([got(`${server.http}/redirect`).text(), got(`${server.http}/br`).text()]),
    ],
    [
      'got that tries again',
      () =>
        got(`${server.http}/status?code=500`, {
          retry: { limit: 1, calculateDelay: ({ computedValue }) => computedValue && 1 },
        }).catch(error => [error.code, error.response.statusCode]),
    ],
    [
      'got that times out',
      () =>
        got(`${server.http}/never`, { timeout: { response: 40 }, retry: { limit: 0 } }).catch(
          error => error.code,
        ),
    ],
    ['got as a stream', () => text(got.stream(`${server.http}/stream?parts=4`))],
    [
      'got over https',
      () => got(`${server.https}/echo`, { https: { certificateAuthority: server.ca } }).json(),
    ],
    [
      'node-fetch',
      async () => {
        const response = await nodeFetch(`${server.http}/redirect-307`, { method: 'POST', body: 'kept' })
        return [response.status, response.url, await response.json()]
      },
    ],
    ['node-fetch with gzip', () => nodeFetch(`${server.http}/gzip`).then(response => response.text())],
    [
      'node-fetch that is reset',
      () => nodeFetch(`${server.http}/reset-amid`).then(response => response.text()),
    ],
    [
      'node-fetch that is aborted',
      () => nodeFetch(`${server.http}/never`, { signal: AbortSignal.timeout(40) as never }),
    ],
  ]
  it.each(clients)('%s', async (_, client) => {
    const { kept } = await same(client)
    expect(kept.length).toBeGreaterThan(0)
  })

  it('close what they do not read on', async () => {
    const { asked } = await same(async () => {
      const { data } = await axios.get(`${server.http}/stream?parts=60&gap=20`, { responseType: 'stream' })
      for await (const _ of data.pipe(new PassThrough())) break
      data.destroy()
      await pause(100)
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })
})

describe('the patch', () => {
  it('is gone afterwards', () => {
    const { addRequest } = http.Agent.prototype as unknown as { addRequest: unknown }
    const undo = watchClientRequests()
    expect(http.Agent.prototype).not.toHaveProperty('addRequest', addRequest)
    undo()
    expect(http.Agent.prototype).toHaveProperty('addRequest', addRequest)
    expect(Object.hasOwn(http.ClientRequest.prototype, 'agent')).toBe(false)
  })

  it('leaves a proxy of another making what it needs: https-proxy-agent 5', async () => {
    const printed = await inFreshProcess(
      `
      import { createServer } from 'node:http'
      import https from 'node:https'
      import net from 'node:net'
      import { createRequire } from 'node:module'
      import { watchHttp } from '../../../src/boundary/watch-http.ts'
      import { recording } from './http-hosts.ts'
      const proxy = createServer().listen(0)
      proxy.on('connect', (request, socket) => {
        const [host, port] = request.url.split(':')
        socket.write('HTTP/1.1 200 Connected\\r\\n\\r\\n')
        const on = net.connect(port, host)
        socket.pipe(on).pipe(socket)
      })
      watchHttp()
      const createAgent = createRequire(import.meta.url)('https-proxy-agent')
      const agent = createAgent('http://127.0.0.1:' + proxy.address().port)
      const kept = []
      await recording(kept, () => new Promise((done, fail) => {
        https.get(process.argv[2] + '/echo', { agent, servername: 'localhost', rejectUnauthorized: false }, response => {
          response.on('data', () => {}).on('end', done)
        }).on('error', fail)
      }))
      console.log(kept.map(one => one.call.exchange.sent.url.pathname).join(), kept[0].answer.head.status)
      process.exit()
      `,
      server.https,
    )
    expect(printed).toBe('/echo 200\n')
  })
})
