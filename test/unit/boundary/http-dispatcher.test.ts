import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as undici from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchDispatchers } from '../../../src/boundary/http-dispatcher.ts'
import { watchHttp } from '../../../src/boundary/watch-http.ts'
import { inFreshProcess } from './fresh-process.ts'
import { type Kept, recording } from './http-hosts.ts'
import { type OddServer, startOddServer } from './odd-server.ts'
import { type ThreeWays, threeWays } from './three-ways.ts'

let server: OddServer
beforeAll(async () => {
  server = await startOddServer()
  await fetch('data:,')
})
afterAll(() => server.stop())

const savedFetch = globalThis.fetch
const same = (agent: () => Promise<unknown>): Promise<ThreeWays> => threeWays(server, watchDispatchers, agent)
const pause = (ms: number): Promise<void> => new Promise(done => setTimeout(done, ms))

async function all(
  response: Pick<Response, 'status' | 'statusText' | 'headers' | 'url' | 'redirected' | 'text'>,
): Promise<unknown> {
  const { status, statusText, headers, url, redirected } = response
  return { status, statusText, headers: [...headers], url, redirected, text: await response.text() }
}

async function asked(path: string, options?: Parameters<typeof undici.request>[1]): Promise<unknown> {
  const { statusCode, headers, body, trailers } = await undici.request(server.http + path, options)
  return {
    statusCode,
    headers,
    text: Buffer.from(await body.arrayBuffer()).toString('latin1'),
    trailers: { ...trailers },
  }
}

const fetches: [string, typeof fetch][] = [
  ['a fetch that was kept before', savedFetch],
  ['fetch of npm undici', undici.fetch as unknown as typeof fetch],
]

describe.each(fetches)('%s', (_, sends) => {
  const paths = [
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
  it.each(paths)('gets what it got: %s', async path => {
    await same(() => sends(server.http + path).then(all))
  })

  it('sends each kind of body once, and tells it whole', async () => {
    const { kept } = await same(() =>
      sends(`${server.http}/echo`, { method: 'POST', body: 'text' }).then(all),
    )
    expect(kept).toHaveLength(1)
    const { sent } = kept[0]!.call.exchange!
    expect([
      sent.method,
      Buffer.from(sent.body as Uint8Array).toString(),
      sent.header('content-type'),
    ]).toEqual(['POST', 'text', 'text/plain;charset=UTF-8'])
    await same(() =>
      sends(`${server.http}/echo`, { method: 'POST', body: new Uint8Array([1, 255]) }).then(all),
    )
    await same(() =>
      sends(`${server.http}/echo`, { method: 'POST', body: new URLSearchParams({ a: '1' }) }).then(all),
    )
    await same(() =>
      sends(`${server.http}/echo`, {
        method: 'POST',
        body: ReadableStream.from([new Uint8Array([1])]),
        duplex: 'half',
      } as RequestInit).then(all),
    )
  })

  it('sees each hop of a redirect as a request', async () => {
    const { kept } = await same(() => sends(`${server.http}/redirect`).then(all))
    expect(kept.map(one => one.call.exchange!.sent.url.pathname)).toEqual(['/redirect', '/echo'])
    await same(() => sends(`${server.http}/redirect-307`, { method: 'POST', body: 'kept' }).then(all))
  })

  it('carries the bytes as they were packed', async () => {
    const { kept } = await same(() => sends(`${server.http}/gzip`).then(all))
    const { head, parts } = kept[0]!.answer!
    expect(Object.fromEntries(head.headers)).toMatchObject({ 'content-encoding': 'gzip' })
    expect(Buffer.concat(parts).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))
  })

  it('reads a stream part by part, and closes it when it stops', async () => {
    const { asked, seen } = await same(async () => {
      const parts: string[] = []
      const response = await sends(`${server.http}/stream?parts=30&gap=20`)
      for await (const part of response.body!) {
        parts.push(new TextDecoder().decode(part))
        if (parts.length === 3) break
      }
      await pause(100)
      // Parts that come at the same time come as one, when the machine is busy.
      return parts.join('').slice(0, 14)
    })
    expect(seen).toEqual({ value: 'part 0\npart 1\n' })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
    expect(asked.recorded[0]!.written).toBeLessThan(30)
  })

  it('of a thousand parts comes whole and in order', async () => {
    await same(() => sends(`${server.http}/stream?parts=1000&gap=0`).then(all))
  })

  it('can be aborted before the answer, and amid it', async () => {
    await same(() => sends(`${server.http}/never`, { signal: AbortSignal.timeout(40) }))
    const { asked } = await same(async () => {
      const controller = new AbortController()
      const response = await sends(`${server.http}/stream?parts=50&gap=20`, { signal: controller.signal })
      let parts = 0
      try {
        for await (const _ of response.body!) if (++parts === 3) controller.abort()
      } catch (error) {
        return [parts, (error as Error).name]
      } finally {
        await pause(100)
      }
      return parts
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })

  it('is told of a server that is not there, and of a name that nobody knows', async () => {
    const { seen } = await same(() => sends('http://127.0.0.1:61/'))
    expect(seen).toMatchObject({ error: { cause: { code: 'ECONNREFUSED' } } })
    await same(() => sends('http://nobody.invalid/'))
  })

  it('of 200 MB goes through without being kept in memory', async () => {
    const undo = watchDispatchers()
    const before = process.memoryUsage().rss
    let [size, most] = [0, 0]
    const kept: Kept[] = []
    await recording(kept, async () => {
      const response = await sends(`${server.http}/big?mb=200`)
      for await (const part of response.body!) {
        size += part.length
        kept[0]!.answer!.parts.length = 0
        most = Math.max(most, process.memoryUsage().rss)
      }
    })
    undo()
    expect(size).toBe(200 << 20)
    expect(most - before).toBeLessThan(150 << 20)
  })
})

describe('request of npm undici', () => {
  const paths = [
    '/echo',
    '/gzip',
    '/cookies',
    '/binary',
    '/trailers',
    '/until-close',
    '/status?code=204',
    '/status?code=304',
    '/status?code=999',
    '/plain-status?code=404',
    '/reset-before',
    '/reset-amid',
    '/cut-amid',
  ]
  it.each(paths.filter(path => path !== '/trailers'))('gets what it got: %s', async path => {
    await same(() => asked(path))
  })

  it('gets trailers while it is recorded', async () => {
    const undo = watchDispatchers()
    expect(await recording([], () => asked('/trailers'))).toEqual(await asked('/trailers'))
    undo()
  })

  const bodies: [string, () => unknown, string | null][] = [
    ['text', () => 'text', 'text'],
    ['bytes', () => Buffer.from('bytes'), 'bytes'],
    ['no body', () => null, null],
    ['a stream', () => Readable.from(['a', Buffer.from('b')]), 'ab'],
    [
      'an iterable',
      async function* () {
        yield 'x'
        yield 'y'
      },
      'xy',
    ],
    ['a blob', () => new Blob(['blob'], { type: 'text/x' }), 'blob'],
  ]
  it.each(bodies)('sends %s once, and tells it whole', async (_, body, whole) => {
    const { kept } = await same(() => asked('/echo', { method: 'POST', body: body() as string }))
    expect(kept).toHaveLength(1)
    const { sent } = kept[0]!.call.exchange!
    expect(sent.body === null ? null : Buffer.from(sent.body as string).toString()).toBe(whole)
  })

  it('sends a form', async () => {
    const undo = watchDispatchers()
    const kept: Kept[] = []
    const form = new undici.FormData()
    form.set('a', '1')
    form.set('f', new Blob(['file']), 'f.txt')
    const { body } = await recording(kept, () =>
      undici.request(`${server.http}/echo`, { method: 'POST', body: form }),
    )
    const echoed = (await body.json()) as { headers: Record<string, string>; body: string }
    undo()
    const { sent } = kept[0]!.call.exchange!
    expect(echoed.headers['content-type']).toBe(sent.header('content-type'))
    expect(Buffer.from(echoed.body, 'base64').equals(sent.body as Uint8Array)).toBe(true)
    expect(Buffer.from(sent.body as Uint8Array).toString()).toContain('filename="f.txt"')
  })

  const headers: [string, unknown][] = [
    ['an object', { 'X-Key': 'v', list: ['1', '2'] }],
    ['a list', ['X-Key', 'v', 'list', '1', 'list', '2']],
    [
      'a map',
      new Map([
        ['X-Key', 'v'],
        ['list', '1, 2'],
      ]),
    ],
    ['Headers', new Headers({ 'X-Key': 'v', list: '1, 2' })],
  ]
  it.each(headers)('tells its headers, given as %s', async (_, given) => {
    const { kept } = await same(() => asked('/echo', { headers: given as string[] }))
    const { sent } = kept[0]!.call.exchange!
    expect([sent.header('x-key'), sent.header('list'), sent.header('none')]).toEqual(['v', '1, 2', null])
  })

  it('tells its query', async () => {
    const { kept } = await same(() => asked('/echo', { query: { a: 1, b: ['x', 'y'] } }))
    expect(kept[0]!.call.exchange!.sent.url.href).toBe(`${server.http}/echo?a=1&b=x&b=y`)
  })

  it('ends with the error of its body', async () => {
    const broken = (): Readable =>
      Readable.from(
        (async function* () {
          yield 'a'
          throw new RangeError('no more')
        })(),
      )
    const undo = watchDispatchers()
    const kept: Kept[] = []
    await expect(recording(kept, () => asked('/echo', { method: 'POST', body: broken() }))).rejects.toThrow(
      'no more',
    )
    expect(kept).toEqual([])
    undo()
  })

  it('can be aborted while its body is read', async () => {
    const undo = watchDispatchers()
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 20)
    const sent = recording([], () =>
      asked('/echo', { method: 'POST', body: new PassThrough(), signal: controller.signal }),
    )
    await expect(sent).rejects.toThrow('enough')
    undo()
  })

  it('refuses what it refuses', async () => {
    await same(() => asked('/echo', { method: 'NO METHOD' as 'GET' }))
    await same(() => asked('/echo', { signal: AbortSignal.abort(new Error('mine')) }))
    await same(() => asked('/echo', { headers: { 'bad\nname': '1' } }))
  })

  it('closes what is not read on', async () => {
    const { asked } = await same(async () => {
      const { body } = await undici.request(`${server.http}/stream?parts=50&gap=20`)
      for await (const _ of body) break
      await pause(100)
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })
})

describe('what else npm undici sends with', () => {
  it('stream', async () => {
    await same(async () => {
      const into = new PassThrough()
      const read = text(into)
      await undici.stream(`${server.http}/stream?parts=5&gap=5`, { method: 'GET' }, () => into)
      return read
    })
  })

  it('pipeline', async () => {
    const { seen } = await same(async () => {
      const pipeline = undici.pipeline(`${server.http}/echo`, { method: 'POST' }, ({ body }) => body)
      return JSON.parse(await text(Readable.from(['a', 'b']).pipe(pipeline))).body
    })
    expect(seen).toEqual({ value: Buffer.from('ab').toString('base64') })
  })

  it('methods of the global dispatcher, and what is composed of it', async () => {
    await same(async () => {
      const { body } = await undici
        .getGlobalDispatcher()
        .request({ origin: server.http, path: '/echo', method: 'GET' })
      const composed = undici
        .getGlobalDispatcher()
        .compose(undici.interceptors.redirect({ maxRedirections: 2 }))
      const { body: followed } = await composed.request({
        origin: server.http,
        path: '/redirect',
        method: 'GET',
      })
      return [await body.json(), await followed.json()]
    })
  })

  it('upgrades and tunnels are no calls', async () => {
    const { kept } = await same(async () => {
      const { socket } = await undici.upgrade(`${server.http}/`, { protocol: 'echo' })
      const greeting = await text(socket)
      const { statusCode } = await undici.connect({
        origin: server.http,
        path: 'elsewhere:1',
      } as unknown as string)
      return [greeting, statusCode]
    }).catch(() => ({ kept: [] }))
    expect(kept).toEqual([])
  })
})

describe('global dispatchers', () => {
  it('that the agent sets are watched, and are its own again in the end', async () => {
    const before = undici.getGlobalDispatcher()
    const agent = new undici.Agent()
    const undo = watchDispatchers()
    undici.setGlobalDispatcher(agent.compose(undici.interceptors.retry({ maxRetries: 1 })))
    const kept: Kept[] = []
    await recording(kept, () => asked('/echo'))
    expect(kept).toHaveLength(1)
    undici.setGlobalDispatcher(agent)
    await recording(kept, () => asked('/echo'))
    expect(kept).toHaveLength(2)
    undo()
    expect(undici.getGlobalDispatcher()).toBe(agent)
    undici.setGlobalDispatcher(before)
    await agent.close()
  })

  it('that mock answers go on mocking, and are seen', async () => {
    const before = undici.getGlobalDispatcher()
    const mock = new undici.MockAgent()
    mock.disableNetConnect()
    mock.get('http://mocked.invalid').intercept({ path: '/' }).reply(200, 'mocked').persist()
    const undo = watchDispatchers()
    undici.setGlobalDispatcher(mock)
    const kept: Kept[] = []
    const read = (): Promise<string> =>
      undici.request('http://mocked.invalid/').then(({ body }) => body.text())
    expect(await recording(kept, read)).toBe('mocked')
    expect(kept).toHaveLength(1)
    undo()
    undici.setGlobalDispatcher(before)
  })

  it('see no request a second time that fetch was seen to send', async () => {
    const undo = watchHttp()
    const kept: Kept[] = []
    await recording(kept, async () => {
      await (await fetch(`${server.http}/redirect`)).text()
      await (
        await fetch(`${server.http}/echo`, {
          method: 'POST',
          body: ReadableStream.from([new Uint8Array([1])]),
          duplex: 'half',
        } as RequestInit)
      ).text()
    })
    expect(kept.map(one => one.call.exchange!.layer)).toEqual(['fetch', 'fetch'])
    undo()
  })

  it('leave other properties alone, and Object.defineProperty as it was', () => {
    const before = Object.defineProperty
    const undo = watchDispatchers()
    expect([Object.defineProperty.name, Object.defineProperty.length]).toEqual(['defineProperty', 3])
    expect(Object.defineProperty({}, 'a', { value: 1 })).toHaveProperty('a', 1)
    expect(() => Object.defineProperty({}, 'a', null as unknown as PropertyDescriptor)).toThrow(TypeError)
    undo()
    expect(Object.defineProperty).toBe(before)
  })

  it('are seen from the first request on, and loaded only when the agent loads them', async () => {
    const printed = await inFreshProcess(
      `
      import { createRequire } from 'node:module'
      import { watchHttp } from '../../../src/boundary/watch-http.ts'
      import { recording } from './http-hosts.ts'
      const saved = fetch
      watchHttp()
      console.log(process.moduleLoadList.some(name => /deps.undici/.test(name)))
      const kept = []
      await recording(kept, async () => (await saved(process.argv[2] + '/echo')).text())
      const { request } = createRequire(import.meta.url)('undici')
      await recording(kept, () => request(process.argv[2] + '/echo'))
      console.log(kept.map(one => one.call.exchange.layer).join())
      process.exit()
      `,
      server.http,
    )
    expect(printed).toBe('false\nundici,undici\n')
  })
})
