import { once } from 'node:events'
import http, { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { request } from 'undici'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { slot } from '../../../src/boundary/slot.ts'
import { watchHttp } from '../../../src/boundary/watch-http.ts'
import { type Kept, recording, replaying } from './http-hosts.ts'
import { type OddServer, startOddServer } from './odd-server.ts'

let server: OddServer
beforeAll(async () => {
  server = await startOddServer()
})
afterAll(() => server.stop())

const byClient = async (...args: unknown[]): Promise<string> => {
  const [response] = (await once(Reflect.apply(get, null, args), 'response')) as [IncomingMessage]
  return text(response)
}
const WAYS: readonly ((url: string) => Promise<string>)[] = [
  async url => (await fetch(url)).text(),
  async url => (await request(url)).body.text(),
  byClient,
]
const all = (url: string): Promise<string[]> => Promise.all(WAYS.map(way => way(url)))

it('sees each request once, in the layer where it was made', async () => {
  const undo = watchHttp()
  const kept: Kept[] = []
  for (const way of WAYS) await recording(kept, () => way(`${server.http}/redirect`))
  expect(kept.map(({ call }) => call.exchange!.layer)).toEqual(['fetch', 'undici', 'http'])
  undo()
})

it('sees no request when no run is going on', async () => {
  const undo = watchHttp()
  await server.log()
  await all(`${server.http}/echo`)
  expect(await server.log()).toHaveLength(3)
  undo()
})

it('sees no request that an open call makes by itself, in whichever layer', async () => {
  const undo = watchHttp()
  const kept: Kept[] = []
  const inside = async (kind: 'tool' | 'http'): Promise<void> => {
    const { host } = slot().context.getStore()!
    const call = { target: { kind: 'tool', name: 't' }, ...(kind === 'http' && { exchange: {} }) }
    await slot().context.run({ host, inside: call }, () => all(`${server.http}/echo`))
  }
  await recording(kept, () => inside('http'))
  await recording(kept, () => inside('tool'))
  expect(kept).toEqual([])
  undo()
})

it('sees no request to a port or socket of this process', async () => {
  const undo = watchHttp()
  const kept: Kept[] = []
  const mine = http.createServer((_, response) => response.end('mine')).listen(0, '127.0.0.1')
  const path = join(tmpdir(), `watch-http-${process.pid}.sock`)
  const other = http.createServer((_, response) => response.end('other')).listen(path)
  await Promise.all([once(mine, 'listening'), once(other, 'listening')])
  const { port } = mine.address() as AddressInfo
  expect(await recording(kept, () => all(`http://127.0.0.1:${port}/`))).toEqual(['mine', 'mine', 'mine'])
  expect(await recording(kept, () => byClient({ socketPath: path, path: '/' }))).toBe('other')
  expect(kept).toEqual([])
  mine.close()
  other.close()
  undo()
})

it('keeps many requests at once apart, each with the call that it was made in', async () => {
  const undo = watchHttp()
  const kept: Kept[] = []
  const agent = async (): Promise<string[]> => {
    const texts = await Promise.all(
      Array.from({ length: 60 }, (_, at) => WAYS[at % 3]!(`${server.http}/echo?${at}`)),
    )
    return texts.map(one => JSON.parse(one).url)
  }
  const urls = Array.from({ length: 60 }, (_, at) => `/echo?${at}`)
  expect(await recording(kept, agent)).toEqual(urls)
  expect(kept.map(({ call }) => call.exchange!.sent.url.search).sort()).toEqual(
    urls.map(url => url.slice(5)).sort(),
  )
  undo()
})

it('is taken back by the last of several runs that overlap', () => {
  const before = [fetch, Object.defineProperty]
  const [first, second] = [watchHttp(), watchHttp()]
  const patched = fetch
  expect(patched).not.toBe(before[0])
  first()
  first()
  expect(fetch).toBe(patched)
  second()
  expect([fetch, Object.defineProperty]).toEqual(before)
  const third = watchHttp()
  expect(fetch).not.toBe(before[0])
  third()
  expect(fetch).toBe(before[0])
})

it('refuses a request that was not recorded with the error of the run, in each layer', async () => {
  const undo = watchHttp()
  for (const way of WAYS)
    await expect(replaying([], () => way(`${server.http}/echo`))).rejects.toThrow('not recorded')
  undo()
})
