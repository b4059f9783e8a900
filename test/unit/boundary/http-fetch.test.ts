import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import axios from 'axios'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { watchFetch } from '../../../src/boundary/http-fetch.ts'
import { watchListening } from '../../../src/own-ports.ts'
import { type Kept, recording } from './http-hosts.ts'
import { type OddServer, startOddServer } from './odd-server.ts'
import { type ThreeWays, threeWays } from './three-ways.ts'

let server: OddServer
beforeAll(async () => {
  server = await startOddServer()
})
afterAll(() => server.stop())

const same = (agent: () => Promise<unknown>): Promise<ThreeWays> => threeWays(server, watchFetch, agent)

/** All of a response that an agent can see. */
async function all(response: Response): Promise<unknown> {
  const { status, statusText, ok, redirected, type, url, headers, bodyUsed } = response
  const hasBody = response.body !== null
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return { status, statusText, ok, redirected, type, url, headers: [...headers], bodyUsed, hasBody, bytes }
}

const echo = (init?: RequestInit): Promise<unknown> => fetch(`${server.http}/echo?q=1#part`, init).then(all)

describe('a request by fetch', () => {
  const stream = (...parts: string[]): ReadableStream =>
    ReadableStream.from(parts.map(part => new TextEncoder().encode(part)))
  const form = (): FormData => {
    const data = new FormData()
    data.set('a', '1')
    return data
  }
  const bodies: [string, () => RequestInit, RegExp | null, string | null][] = [
    ['no body', () => ({}), null, null],
    ['a text', () => ({ method: 'post', body: 'text' }), /^text\/plain/, 'text'],
    ['an empty text', () => ({ method: 'PUT', body: '' }), /^text\/plain/, ''],
    ['bytes', () => ({ method: 'PATCH', body: new Uint8Array([1, 2, 255]) }), null, '\x01\x02\xff'],
    ['an ArrayBuffer', () => ({ method: 'POST', body: new Uint8Array([65]).buffer }), null, 'A'],
    ['a DataView', () => ({ method: 'POST', body: new DataView(new ArrayBuffer(2)) }), null, '\0\0'],
    [
      'a form',
      () => ({ method: 'POST', body: new URLSearchParams({ a: '1 2' }) }),
      /^application\/x-www/,
      'a=1+2',
    ],
    ['a blob', () => ({ method: 'POST', body: new Blob(['b'], { type: 'text/x' }) }), /^text\/x$/, 'b'],
    [
      'a stream',
      () => ({ method: 'POST', body: stream('a', 'b'), duplex: 'half' }) as RequestInit,
      null,
      'ab',
    ],
  ]
  it.each(bodies)('with %s is sent once and read whole', async (_, init, type, text) => {
    const { kept } = await same(() => echo(init()))
    const { sent } = kept[0]!.call.exchange!
    const body = sent.body === null ? null : Buffer.from(sent.body as string).toString('latin1')
    expect([sent.method, body]).toEqual([(init().method ?? 'GET').toUpperCase(), text])
    expect(sent.url.href).toBe(`${server.http}/echo?q=1#part`)
    if (type === null) expect(sent.header('content-type')).toBeNull()
    else expect(sent.header('content-type')).toMatch(type)
  })

  it('with FormData tells the boundary that is sent', async () => {
    const kept: Kept[] = []
    const undo = watchFetch()
    const response = await recording(kept, () =>
      fetch(`${server.http}/echo`, { method: 'POST', body: form() }),
    )
    const { headers, body } = (await response.json()) as { headers: Record<string, string>; body: string }
    undo()
    const { sent } = kept[0]!.call.exchange!
    expect(headers['content-type']).toBe(sent.header('content-type'))
    expect(Buffer.from(sent.body as Uint8Array).toString('base64')).toBe(body)
  })

  const headers: [string, NonNullable<RequestInit['headers']>][] = [
    ['an object', { 'X-Key': 'v', 'content-type': 'application/json' }],
    [
      'pairs',
      [
        ['X-Key', 'v'],
        ['content-type', 'application/json'],
      ],
    ],
    ['Headers', new Headers({ 'x-key': 'v', 'Content-Type': 'application/json' })],
  ]
  it.each(headers)('tells its headers, given as %s', async (_, given) => {
    const { kept } = await same(() => echo({ method: 'POST', body: '{}', headers: given }))
    const { sent } = kept[0]!.call.exchange!
    expect([sent.header('x-key'), sent.header('content-type'), sent.header('none')]).toEqual([
      'v',
      'application/json',
      null,
    ])
  })

  it('may be given as a URL or a Request, with a body or without', async () => {
    await same(() => fetch(new URL(`${server.http}/echo`)).then(all))
    await same(() => fetch(new Request(`${server.http}/echo`)).then(all))
    const post = (): Request =>
      new Request(`${server.http}/echo`, { method: 'POST', body: 'b', headers: { 'x-a': '1' } })
    await same(() => fetch(post()).then(all))
    await same(() => fetch(post(), { body: 'other', headers: { 'x-b': '2' } }).then(all))
    await same(async () => {
      const request = post()
      return [await fetch(request).then(all), request.bodyUsed]
    })
    await same(() => fetch(new Request(`${server.http}/echo`, { referrer: `${server.http}/from` })).then(all))
  })

  it('fails as without us when it cannot be made', async () => {
    const { kept } = await same(() => echo({ body: 'x' }))
    expect(kept).toEqual([])
    await same(() => echo({ method: 'TRACE' }))
    await same(() => fetch('no address'))
    await same(() => fetch('http://user:pass@localhost/'))
    await same(() => echo({ method: 'POST', body: new ReadableStream() }))
    await same(() => (fetch as () => Promise<Response>)())
    await same(async () => {
      const request = new Request(`${server.http}/echo`, { method: 'POST', body: 'x' })
      await request.text()
      return fetch(request)
    })
  })

  it('fails as without us when its body does', async () => {
    const broken = (): ReadableStream =>
      ReadableStream.from(
        (async function* () {
          yield new Uint8Array([1])
          throw new RangeError('no more')
        })(),
      )
    const kept: Kept[] = []
    const undo = watchFetch()
    const send = (): Promise<unknown> =>
      fetch(`${server.http}/echo`, { method: 'POST', body: broken(), duplex: 'half' } as RequestInit)
    await expect(recording(kept, send)).rejects.toMatchObject({
      message: 'fetch failed',
      cause: { message: 'no more' },
    })
    undo()
    expect(kept).toEqual([])
  })

  it('to data: and blob: is no call', async () => {
    const { kept } = await same(async () => [
      await fetch('data:,hello').then(all),
      await fetch(URL.createObjectURL(new Blob(['b']))).then(response => response.text()),
    ])
    expect(kept).toEqual([])
  })
})

describe('a response by fetch', () => {
  const paths = [
    '/gzip',
    '/br',
    '/redirect',
    '/cookies',
    '/binary',
    '/trailers',
    '/until-close',
    '/nowhere',
    '/status?code=204',
    '/status?code=205',
    '/status?code=304',
    '/status?code=500',
    '/status?code=999',
    '/status?code=200&text=Fine',
    '/status?code=200&text=',
    '/plain-status?code=404',
  ]
  it.each(paths)('is what it was: %s', async path => {
    await same(() => fetch(server.http + path).then(all))
  })

  it('keeps cookies apart', async () => {
    const { seen } = await same(() => fetch(`${server.http}/cookies`).then(r => r.headers.getSetCookie()))
    expect(seen).toEqual({ value: ['a=1; Path=/', 'b=2'] })
  })

  it('has no body for HEAD', async () => {
    await same(() => fetch(`${server.http}/binary`, { method: 'HEAD' }).then(all))
  })

  it('follows or shows redirects as it is told', async () => {
    await same(() => fetch(`${server.http}/redirect`, { redirect: 'manual' }).then(all))
    await same(() => fetch(`${server.http}/redirect`, { redirect: 'error' }).then(all))
    await same(() => fetch(`${server.http}/redirect-307`, { method: 'POST', body: 'kept' }).then(all))
  })

  it('can be cloned, and read in every way', async () => {
    await same(async () => {
      const response = await fetch(`${server.http}/redirect`)
      const clone = response.clone()
      return [await all(clone.clone()), await clone.json(), await response.text()]
    })
    await same(() =>
      fetch(`${server.http}/gzip`)
        .then(r => r.blob())
        .then(blob => [blob.type, blob.size]),
    )
    await same(async () => {
      const response = await fetch(`${server.http}/binary`)
      await response.text()
      return response.text()
    })
  })

  it('comes part by part', async () => {
    const { seen, kept } = await same(async () => {
      let all = ''
      let count = 0
      const response = await fetch(`${server.http}/stream?parts=5&gap=30`)
      for await (const part of response.body!) {
        all += new TextDecoder().decode(part)
        count++
      }
      // Parts that come at the same time come as one, when the machine is busy.
      return [all, count > 1]
    })
    expect(seen).toEqual({ value: ['part 0\npart 1\npart 2\npart 3\npart 4\n', true] })
    expect(kept[0]!.answer!.parts.length).toBeGreaterThan(1)
  })

  it('of a thousand parts comes whole and in order', async () => {
    await same(() => fetch(`${server.http}/stream?parts=1000&gap=0`).then(r => r.text()))
  })

  it('that nobody reads on is closed at its source', async () => {
    const { asked } = await same(async () => {
      const response = await fetch(`${server.http}/stream?parts=50&gap=20`)
      for await (const _ of response.body!) break
      await new Promise(done => setTimeout(done, 100))
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
    expect(asked.recorded[0]!.written).toBeLessThan(10)
  })

  it('that is cancelled while somebody waits for a part is closed at its source', async () => {
    const { asked } = await same(async () => {
      const response = await fetch(`${server.http}/stream?parts=20&gap=50`)
      const reader = response.body!.getReader()
      await reader.read()
      const pending = reader.read()
      await reader.cancel()
      await new Promise(done => setTimeout(done, 100))
      return pending
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })

  it('of 200 MB goes through without being kept in memory', async () => {
    const undo = watchFetch()
    const before = process.memoryUsage().rss
    let size = 0
    let most = 0
    const kept: Kept[] = []
    await recording(kept, async () => {
      const response = await fetch(`${server.http}/big?mb=200`)
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

describe('what goes wrong', () => {
  it.each(['/reset-before', '/reset-amid', '/cut-amid'])('goes wrong in the same way: %s', async path => {
    await same(() => fetch(server.http + path).then(all))
  })

  it('is told of a server that is not there, and of a name that nobody knows', async () => {
    await same(() => fetch('http://127.0.0.1:1/').then(all))
    const { seen } = await same(() => fetch('http://127.0.0.1:61/').then(all))
    expect(seen).toMatchObject({ error: { cause: { code: 'ECONNREFUSED' } } })
    await same(() => fetch('http://nobody.invalid/').then(all))
  })

  const reasons: [string, unknown][] = [
    ['no reason', undefined],
    ['an error', new RangeError('mine')],
    ['a text', 'stop'],
  ]
  it.each(reasons)('is an abort before the answer, with %s', async (_, reason) => {
    const { kept } = await same(async () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(reason), 30)
      return fetch(`${server.http}/never`, { signal: controller.signal })
    })
    expect(kept[0]!.answer).toBeNull()
  })

  it('is an abort before anything was sent', async () => {
    const { kept } = await same(() => fetch(`${server.http}/echo`, { signal: AbortSignal.abort('too late') }))
    expect(kept).toEqual([])
  })

  it('is an abort while the body of the request is read', async () => {
    const undo = watchFetch()
    const controller = new AbortController()
    const body = new ReadableStream({ pull: () => new Promise(() => {}) })
    const sent = recording([], () =>
      fetch(`${server.http}/echo`, {
        method: 'POST',
        body,
        duplex: 'half',
        signal: controller.signal,
      } as RequestInit),
    )
    setTimeout(() => controller.abort('enough'), 10)
    await expect(sent).rejects.toBe('enough')
    undo()
  })

  it('is a time-out', async () => {
    await same(() => fetch(`${server.http}/never`, { signal: AbortSignal.timeout(40) }))
  })

  it('is an abort of a Request', async () => {
    await same(async () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('mine')), 30)
      return fetch(
        new Request(`${server.http}/never`, { method: 'POST', body: 'x', signal: controller.signal }),
      )
    })
  })

  it('is an abort after the third part, and closes the source', async () => {
    const { asked } = await same(async () => {
      const controller = new AbortController()
      const response = await fetch(`${server.http}/stream?parts=50&gap=20`, { signal: controller.signal })
      const parts: string[] = []
      try {
        for await (const part of response.body!) {
          parts.push(new TextDecoder().decode(part))
          if (parts.length === 3) controller.abort()
        }
      } catch (error) {
        return [parts.length, (error as Error).name]
      } finally {
        await new Promise(done => setTimeout(done, 100))
      }
      return parts
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })
})

describe('through the layer of fetch', () => {
  it('openai gets its answers and streams', async () => {
    const { kept } = await same(async () => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${server.http}/v1` })
      const messages = [{ role: 'user' as const, content: 'hi' }]
      const whole = await client.chat.completions.create({ model: 'm', messages })
      const tokens: unknown[] = []
      for await (const chunk of await client.chat.completions.create({ model: 'm', messages, stream: true }))
        tokens.push(chunk.choices[0]!.delta.content)
      return [whole, tokens]
    })
    expect(JSON.parse(kept[0]!.call.exchange!.sent.body as string)).toMatchObject({ model: 'm' })
  })

  it('openai closes a stream that is broken off', async () => {
    const { asked } = await same(async () => {
      const client = new OpenAI({ apiKey: 'k', baseURL: `${server.http}/v1` })
      const messages = [{ role: 'user' as const, content: 'hi' }]
      for await (const _ of await client.chat.completions.create({ model: 'm', messages, stream: true }))
        break
      await new Promise(done => setTimeout(done, 60))
    })
    expect(asked.recorded[0]).toMatchObject({ closedEarly: true })
  })

  it('openai times out, and tries again, as it does', async () => {
    const list = (path: string, maxRetries: number): Promise<unknown> =>
      same(() =>
        new OpenAI({ apiKey: 'k', baseURL: server.http + path, timeout: 40, maxRetries }).models.list(),
      )
    await list('/never', 0)
    await list('/failing', 2)
  })

  it('anthropic gets its answers', async () => {
    await same(() =>
      new Anthropic({ apiKey: 'k', baseURL: server.http }).messages.create({
        model: 'm',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    )
  })

  it('axios gets its answers by its fetch adapter', async () => {
    await same(() =>
      axios
        .post(`${server.http}/echo`, { a: 1 }, { adapter: 'fetch' })
        .then(({ status, data }) => [status, data]),
    )
  })
})

describe('the patch', () => {
  it('leaves name and length, and puts back what was there', () => {
    const before = fetch
    const undo = watchFetch()
    expect(fetch).not.toBe(before)
    expect([fetch.name, fetch.length]).toEqual([before.name, before.length])
    undo()
    expect(fetch).toBe(before)
  })

  it('hands the very arguments on when nobody listens', async () => {
    const before = globalThis.fetch
    const seen: unknown[][] = []
    globalThis.fetch = (async (...args: unknown[]) => void seen.push(args)) as unknown as typeof fetch
    const undo = watchFetch()
    const init = { method: 'POST' }
    await fetch('http://nobody.invalid/', init)
    await fetch('http://nobody.invalid/')
    undo()
    globalThis.fetch = before
    expect(seen).toEqual([['http://nobody.invalid/', init], ['http://nobody.invalid/']])
    expect(seen[0]![1]).toBe(init)
  })

  it('takes no notice of what goes to a port of this process', async () => {
    const mine = createServer((_, response) => response.end('mine')).listen(0, '127.0.0.1')
    await new Promise(done => mine.once('listening', done))
    const undo = [watchListening(), watchFetch()]
    const kept: Kept[] = []
    const { port } = mine.address() as AddressInfo
    expect(await recording(kept, () => fetch(`http://localhost:${port}/`).then(r => r.text()))).toBe('mine')
    expect(kept).toEqual([])
    for (const restore of undo) restore()
    mine.close()
  })

  it('sees a request once when it is installed twice', async () => {
    const undo = [watchFetch(), watchFetch()]
    const kept: Kept[] = []
    await recording(kept, () => echo())
    expect(kept).toHaveLength(1)
    for (const restore of undo.reverse()) restore()
  })

  it('makes the call in the turn of its caller', () => {
    const undo = watchFetch()
    const kept: Kept[] = []
    const pending = recording(kept, () => echo({ method: 'POST', body: '{}' }))
    expect(kept).toHaveLength(1)
    undo()
    return pending
  })
})
