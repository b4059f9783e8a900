/** `record()` in a server: many requests at once, a bundle each. */

import { readdirSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { record } from '../../../src/index.ts'
import { recorded } from '../../../src/testing.ts'
import { validateBundle } from '../../../src/validate.ts'
import { answer, calls, eventsOf, freshFolder, freshPath } from './desk.ts'

const REQUESTS = 200

describe('a server that records each request', () => {
  it(`keeps the calls of ${REQUESTS} requests at once apart, a bundle each`, async () => {
    const output = freshFolder()
    const server = createServer((request, response) => {
      const id = request.url!.slice(1)
      record({ agent: 'desk', output, input: id }, answer).then(
        reply => response.end(JSON.stringify(reply)),
        error => response.writeHead(500).end(String(error)),
      )
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const ids = Array.from({ length: REQUESTS }, (_, index) => `A-${index}`)
    const replies = await Promise.all(ids.map(id => textOf(port, id)))
    server.close()

    expect(replies.map(reply => JSON.parse(reply).ref)).toEqual(ids.map(id => `R-${id}`))
    const bundles = readdirSync(output).map(name => join(output, name))
    expect(bundles).toHaveLength(REQUESTS)
    const seen = bundles.map(path => {
      expect(calls(path)).toEqual(['order_status', 'gpt', 'round', 'refund'])
      const [start, ...rest] = eventsOf(path)
      const ofOthers = rest.filter(event => /A-\d+/.exec(JSON.stringify(event))?.[0] !== start!.input)
      expect(ofOthers.filter(event => JSON.stringify(event).includes('A-'))).toEqual([])
      expect(validateBundle(path, { verifyIntegrity: true })).toMatchObject({ valid: true })
      return start!.input
    })
    expect(seen.sort()).toEqual([...ids].sort())
  }, 120_000)
})

describe('recorded() in tests that run at once', () => {
  it('records and replays each with its own calls', async () => {
    const paths = Array.from({ length: 10 }, () => freshPath())
    const run = (path: string, index: number) => recorded(path, answer, `A-${index}`)
    const before = process.env.CI
    delete process.env.CI
    try {
      const first = await Promise.all(paths.map(run))
      expect(first.map(({ ref }) => ref)).toEqual(paths.map((_, index) => `R-A-${index}`))
      expect(await Promise.all(paths.map(run))).toEqual(first)
    } finally {
      if (before !== undefined) process.env.CI = before
    }
  }, 60_000)
})

function textOf(port: number, id: string): Promise<string> {
  return new Promise((done, failed) => {
    get({ port, path: `/${id}`, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      response.on('end', () => done(text))
    }).on('error', failed)
  })
}
