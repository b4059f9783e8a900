/** Requests of real clients in a recording, and again when the server is gone. */
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import { request } from 'undici'
import { describe, expect, it } from 'vitest'
import { replayHere } from '../../../src/replay-here.ts'
import { recordRun } from '../../../src/run/record-run.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import { startOddServer } from '../boundary/odd-server.ts'

type Read = (url: string, signal?: AbortSignal) => Promise<unknown>

/** These hand bytes out as they came; a recording keeps them unpacked. */
const RAW = ['undici', 'node:http']

const CLIENTS: readonly [string, Read][] = [
  ['fetch', (url, signal) => fetch(url, { signal: signal ?? null }).then(response => response.text())],
  ['undici', (url, signal) => request(url, { signal: signal ?? null }).then(({ body }) => body.text())],
  [
    'axios',
    (url, signal) =>
      axios.get(url, { responseType: 'text', ...(signal && { signal }) }).then(({ data }) => data),
  ],
  ['got', (url, signal) => got(url, { retry: { limit: 0 }, ...(signal && { signal }) }).text()],
  [
    'node-fetch',
    (url, signal) => nodeFetch(url, { signal: (signal ?? null) as never }).then(response => response.text()),
  ],
  [
    'node:http',
    async (url, signal) => {
      const [response] = (await once(get(url, { ...(signal && { signal }) }), 'response')) as [
        IncomingMessage,
      ]
      return text(response)
    },
  ],
]

/** Records `agent` against a server, stops that, and replays. */
async function recordedAndReplayed(agent: (http: string) => Promise<unknown>) {
  const server = await startOddServer()
  const output = join(mkdtempSync(join(tmpdir(), 'stepfork-layers-')), 'run.sftrace')
  const run = (): Promise<unknown> => agent(server.http)
  const recorded = await recordRun({ agent: 'layers', output }, run as never)
  server.stop()
  const outcome = await replayHere(output, run as never)
  return { recorded, outcome, path: output }
}

describe.each(CLIENTS)('%s', (name, read) => {
  const isRaw = RAW.includes(name)
  it('gets the same without the server: packed, streamed, redirected, refused and in parallel', async () => {
    const { recorded, outcome } = await recordedAndReplayed(async http => [
      await read(`${http}/gzip`, undefined).then(body => isRaw || body),
      await read(`${http}/until-close`),
      await read(`${http}/stream?parts=20&gap=0`),
      await read(`${http}/cookies`),
      await read(`${http}/status?code=204`),
      (await Promise.all([1, 2, 3].map(at => read(`${http}/status?code=200&text=${at}`)))).length,
      await read('http://127.0.0.1:61/').catch(error => error.cause?.code ?? error.code),
      await read(`${http}/reset-before`).catch(() => 'reset'),
      await read(`${http}/cut-amid`).catch(() => 'cut'),
    ])
    expect(recorded).toContain('ECONNREFUSED')
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })

  // `got` sends from a timer of its own, and nothing leads back from there.
  it.skipIf(name === 'got')('is shown at the line of the agent that asked', async () => {
    const { path } = await recordedAndReplayed(async http => {
      const asksHere = async (): Promise<unknown> => await read(`${http}/gzip`)
      return asksHere()
    })
    const { origin } = readBundle(path)
    const sites = origin!.log.flatMap(line => ('event' in line ? [line.site] : []))
    expect(sites).toHaveLength(1)
    expect(sites[0]).toMatch(/^.*http-layers\.test\.ts:\d+:\d+/)
  })

  it('is aborted in the same way without the server', async () => {
    const { outcome } = await recordedAndReplayed(async http => {
      const thrown = await read(`${http}/never`, AbortSignal.timeout(60)).catch(error => error.name)
      return [thrown, await read(`${http}/binary`).then(() => 'and goes on')]
    })
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })
})

describe('the first part of a body, and no more, is read again without the server', () => {
  it.each<[string, (url: string) => Promise<string>]>([
    [
      'by fetch',
      async url => {
        const reader = (await fetch(url)).body!.getReader()
        const { value } = await reader.read()
        await reader.cancel()
        return Buffer.from(value!).toString()
      },
    ],
    [
      'by undici',
      async url => {
        for await (const part of (await request(url)).body) return String(part)
        return 'nothing'
      },
    ],
    [
      'by node:http',
      async url => {
        const [response] = (await once(get(url), 'response')) as [IncomingMessage]
        const [part] = await once(response, 'data')
        response.destroy()
        return String(part)
      },
    ],
  ])('%s', async (_name, first) => {
    const { recorded, outcome } = await recordedAndReplayed(http => first(`${http}/stream?parts=6&gap=20`))
    expect([recorded, outcome.verdict, outcome.divergences]).toEqual(['part 0\n', 'matched', []])
  })
})
