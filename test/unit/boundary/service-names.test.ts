import { afterEach, describe, expect, it, vi } from 'vitest'
import { serviceNames } from '../../../src/boundary/service-names.ts'
import type { Host } from '../../../src/boundary/slot.ts'

afterEach(() => vi.unstubAllEnvs())

function namesIn(environment: Record<string, string>) {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value)
  const used: [string, string][] = []
  const host = { service: (name: string, url: string) => used.push([name, url]) } as unknown as Host
  return { ...serviceNames(host), used }
}

describe('a service that an environment variable names', () => {
  it('is called by the variable whose path reaches farthest into that of the request', () => {
    const { nameOf } = namesIn({
      A_URL: 'http://h.test/a',
      B_URL: 'http://h.test',
      C_URL: 'http://h.test/a/b',
    })
    const names = ['/a/b/c', '/a/bc', '/a', '/ab', '/'].map(path => nameOf(new URL(path, 'http://h.test')))
    expect(names).toEqual(['C_URL', 'A_URL', 'A_URL', 'B_URL', 'B_URL'])
  })

  it('is told from another port of its host', () => {
    const { nameOf } = namesIn({ SHOP_API: 'http://localhost:4010' })
    expect(['http://localhost:4010/x', 'http://localhost:4011/x'].map(url => nameOf(new URL(url)))).toEqual([
      'SHOP_API',
      null,
    ])
  })

  it('is noted with all variables of its host, each as it is spelled, without what may be secret', () => {
    const { noteUse, used } = namesIn({
      OPENAI_BASE_URL: 'http://me:pw@gateway.test/openai/v1?key=1',
      OTHER_BASE_URL: 'http://gateway.test',
      SLASHED_URL: 'http://gateway.test/',
      ELSEWHERE_URL: 'http://other.test',
    })
    noteUse(new URL('http://gateway.test/openai/v1/chat/completions'))
    expect(used).toEqual([
      ['OPENAI_BASE_URL', 'http://gateway.test/openai/v1'],
      ['OTHER_BASE_URL', 'http://gateway.test'],
      ['SLASHED_URL', 'http://gateway.test/'],
    ])
  })

  it('is not named by a proxy or by a text that is no address', () => {
    const { nameOf } = namesIn({
      HTTP_PROXY: 'http://p.test',
      npm_config_registry: 'http://p.test',
      TEXT: 'http://',
    })
    expect(nameOf(new URL('http://p.test/x'))).toBeNull()
  })
})
