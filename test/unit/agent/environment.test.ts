import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replayEnvironment } from '../../../src/agent/environment.ts'
import { peekEnvironment } from '../../../src/store/peek-environment.ts'

function recordedWith(services: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-env-'))
  const environment = { tz: null, locale: null, node_env: null, services }
  writeFileSync(join(folder, 'x-origin.jsonl'), `${JSON.stringify({ environment })}\n`)
  return peekEnvironment(folder)
}

describe('the environment of a replayed agent', () => {
  const recorded = recordedWith({ OPENAI_BASE_URL: 'http://127.0.0.1:4010/v1', SHOP_API: 'http://shop.test' })

  it('has the addresses of model providers as recorded, and of other services where none is set', () => {
    const own = { OPENAI_BASE_URL: 'http://other.test', SHOP_API: 'http://mine.test' }
    expect(replayEnvironment(own, recorded, true)).toMatchObject({
      OPENAI_BASE_URL: 'http://127.0.0.1:4010/v1',
      SHOP_API: 'http://mine.test',
    })
    expect(replayEnvironment({}, recorded, true).SHOP_API).toBe('http://shop.test')
  })

  it('takes no address from a recording when calls may run for real: a key could be sent there', () => {
    const own = { OPENAI_BASE_URL: 'http://other.test' }
    expect(replayEnvironment(own, recorded, false).OPENAI_BASE_URL).toBe('http://other.test')
    expect(replayEnvironment({}, recorded, false).OPENAI_BASE_URL).toBeUndefined()
  })

  it('gives a service that is not set an address that leads nowhere, as its calls may be answered all the same', () => {
    const { SHOP_API, MY_SHOP } = replayEnvironment(
      { SHOP_API: 'http://mine.test' },
      recordedWith({ SHOP_API: 'http://shop.test', MY_SHOP: 'https://shop.test:4010/v1/' }),
      false,
    )
    expect([SHOP_API, MY_SHOP]).toEqual(['http://mine.test', 'http://my-shop.invalid/v1/'])
  })

  it('takes nothing but addresses from a recording, and no variable that tells Node what to do', () => {
    const hostile = {
      NODE_OPTIONS: 'http://x.test',
      LD_PRELOAD: 'http://x.test',
      HTTPS_PROXY: 'http://x.test',
      PATH: 'http://x.test',
      A: '--require ./evil.cjs',
      'B=C': 'http://x.test',
      D: 'http://x.test/\u0000',
      E: { toString: 'http://x.test' },
    }
    expect(recordedWith(hostile)?.services).toEqual({})
    expect(recordedWith('http://x.test')?.services).toEqual({})
  })
})
