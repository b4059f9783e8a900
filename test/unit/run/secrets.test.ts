import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { llmRequest, record, traceTool } from '../../../src/index.ts'
import { ReplaySession, readBundle, validateBundle } from '../../../src/testing.ts'
import { SECRET_TEXTS } from '../trace/secret-texts.ts'
import { freshPath } from './desk.ts'

/** Known by their shape, by their name, and by the environment. */
const BY_SHAPE = SECRET_TEXTS.map(([, secret]) => secret)
const BY_NAME = {
  token: 'plain-0001-words',
  'x-api-key': 'plain-0002-words',
  password: 'plain-0003-words',
  'set-cookie': 'sid=plain-0004-words; Path=/',
  openai_api_key: 'plain-0005-words',
  secret_key: 'plain-0006-words',
  awsSecretAccessKey: 'plain-0007-words',
  clientSecret: 'plain-0008-words',
  DB_PASSWORD: 'plain-0009-words',
  github_token: 'plain-0010-words',
}
const BY_VARIABLE = { ACME_TOKEN: 'Kx-plain/0011+words', ACME_PASSWORD: 'correct horse 12' }

/** Every piece of text that must not be found anywhere. */
const SECRETS = [...BY_SHAPE, ...Object.values(BY_NAME), ...Object.values(BY_VARIABLE)].map(secret =>
  secret.startsWith('-----') ? secret.split('\n')[1]! : secret.replace('; Path=/', ''),
)

const loose = [...BY_SHAPE, ...Object.values(BY_VARIABLE), encodeURIComponent(BY_VARIABLE.ACME_TOKEN)]
const everything = { ...BY_NAME, text: `my keys: ${loose.join(' , ')}`, list: [...loose, { deep: BY_NAME }] }

function withEnvironment(variables: { readonly [name: string]: string }): void {
  Object.assign(process.env, variables)
  onTestFinished(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
}

function leaksIn(folder: string): string[] {
  return readdirSync(folder).flatMap(name => {
    const text = readFileSync(join(folder, name), 'utf8')
    return SECRETS.filter(secret => text.includes(secret)).map(secret => `${name}: ${secret}`)
  })
}

function failure(): Error {
  const error = new Error(`could not log in with ${loose.join(' or ')}`, {
    cause: new Error(everything.text),
  })
  return Object.assign(error, { config: everything })
}

const show = traceTool('show', async (input: unknown) => ({ input, everything }))
const fail = traceTool('fail', async (_: unknown): Promise<never> => Promise.reject(failure()))
const stream = traceTool('stream', async function* (input: unknown) {
  yield everything
  yield input
  for (const secret of loose) yield `one ${secret}`
})

describe('a recording', () => {
  it('of an agent that is full of secrets holds none of them, in no file and at no time', async () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(60)
    withEnvironment(BY_VARIABLE)
    const path = freshPath()
    let during: string[] | null = null
    const run = record({ agent: `agent ${BY_SHAPE[0]}`, output: path, input: everything }, async input => {
      const named = traceTool(`tool ${BY_VARIABLE.ACME_TOKEN}`, async (given: unknown) => given)
      await named(everything)
      await show(input)
      for await (const _ of stream(everything));
      await fail(everything).catch(() => {})
      await llmRequest(
        {
          provider: 'acme',
          model: `model ${BY_SHAPE[1]}`,
          input: { messages: [{ content: everything.text }] },
        },
        async () => ({
          choices: [
            { message: { content: everything.text, tool_calls: [{ arguments: JSON.stringify(BY_NAME) }] } },
          ],
        }),
      )
      during = leaksIn(`${path}.part`)
      throw failure()
    })
    await expect(run).rejects.toThrow('could not log in')
    expect(during).toEqual([])
    expect(existsSync(`${path}.part`)).toBe(false)
    expect(leaksIn(path)).toEqual([])
    expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
    const { origin, secrets } = readBundle(path)
    expect(origin?.header.redaction).toBe('strong')
    expect(secrets.some(line => line.secrets.some(mark => mark?.env?.includes('ACME_TOKEN')))).toBe(true)
  })

  it('hides what a variable holds that is set only after the run has begun', async () => {
    const path = freshPath()
    await record({ agent: 'late', output: path }, async () => {
      withEnvironment({ LATE_TOKEN: 'Kx-plain/0011+words' })
      return show({ said: 'my token is Kx-plain/0011+words' })
    })
    expect(leaksIn(path).filter(leak => leak.includes('0011'))).toEqual([])
  })

  it('hides a value everywhere once it has stood under the name of a secret, so that a replay may lack it', async () => {
    const path = freshPath()
    const shop = traceTool('shop', async (_: unknown) => ({ token: 'issued-0016' }))
    const use = async (): Promise<unknown> => {
      const { token } = await shop({ user: 'a' })
      return show({ said: `I got ${token}, and ${token} again` })
    }
    await record({ agent: 'learns', output: path }, use)
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).not.toContain('issued-0016')
    const session = await replayed(path, use)
    session.verifyComplete()
  })

  it('matches when a value was said before it stood under the name of a secret, or in a variable', async () => {
    const path = freshPath()
    const agent = async (): Promise<string> => {
      await show({ said: 'the word is zebra7quartz9, or quartz7zebra9' })
      await show({ password: 'zebra7quartz9' })
      withEnvironment({ LATE_TOKEN: 'quartz7zebra9' })
      await new Promise(resolve => setTimeout(resolve, 20))
      await show({ said: 'again zebra7quartz9 and quartz7zebra9' })
      delete process.env.LATE_TOKEN
      return 'done'
    }
    await record({ agent: 'learns', output: path }, agent)
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).toContain('again [REDACTED] and [REDACTED]')
    const session = await replayed(path, agent)
    session.verifyComplete()
  })

  it('with redaction compatible hides what Python hides, and says so', async () => {
    const path = freshPath()
    await record({ agent: 'old', output: path, redaction: 'compatible' }, () =>
      show({ token: 'abc', password: 'x' }),
    )
    const events = readFileSync(join(path, 'events.jsonl'), 'utf8')
    expect(events).toContain('"input":{"token":"abc","password":"[REDACTED]"}')
    expect(readBundle(path).origin?.header.redaction).toBe('compatible')
  })
})

const login = traceTool('login', async (input: unknown) => ({
  user: String(JSON.stringify(input).length),
  token: 'issued-0001',
}))

type Keys = readonly [string, string]

async function agent([one, other]: Keys): Promise<unknown> {
  const first = await login({ user: 'a', api_key: one })
  const second = await login({ user: 'b', note: `with sk-${other}` })
  const again = await login({
    user: 'a',
    api_key: one,
    session: { token: (first as { token: string }).token },
  })
  return [first, second, again]
}

async function recorded(body: () => unknown): Promise<string> {
  const path = freshPath()
  await record({ agent: 'keys', output: path }, body)
  return path
}

async function replayed(path: string, body: () => unknown): Promise<ReplaySession> {
  const session = new ReplaySession(readBundle(path), { onDivergence: 'continue' })
  await session.run(body)
  return session
}

describe('a replay', () => {
  it('matches with other secrets than the recording had', async () => {
    const path = await recorded(() => agent(['first-key-1', 'Qx7second9key8Wz']))
    const session = await replayed(path, () => agent(['another-1', 'Yb5third1key2Vw']))
    session.verifyComplete()
    expect(session.matched).toBe(3)
  })

  it('takes a placeholder that a recorded answer gave for any secret', async () => {
    const path = await recorded(() => agent(['first-key-1', 'Qx7second9key8Wz']))
    const session = await replayed(path, () => agent(['[REDACTED]', 'Yb5third1key2Vw']))
    session.verifyComplete()
  })

  it('does not pass when two secrets are swapped in a later call, and names the place', async () => {
    const both = (keys: Keys, last: Keys) => async () => {
      await login({ api_key: keys[0], token: keys[1] })
      await login({ api_key: last[0], token: last[1] })
    }
    const path = await recorded(both(['a-1', 'b-2'], ['a-1', 'b-2']))
    const same = await replayed(path, both(['c-1', 'd-2'], ['c-1', 'd-2']))
    same.verifyComplete()
    const swapped = await replayed(path, both(['c-1', 'd-2'], ['d-2', 'c-1']))
    expect(swapped.divergence?.details.kind).toBe('changed-input')
    const made = swapped.facts.filter(fact => fact.kind === 'made')
    expect(made[1]).toMatchObject({ verdict: 'changed-input', otherSecrets: ['/api_key', '/token'] })
    const one = await replayed(path, both(['c-1', 'c-1'], ['c-1', 'c-1']))
    expect(one.divergence?.details.kind).toBe('changed-input')
  })

  it('knows secrets of the environment by their variables, also when all are swapped', async () => {
    withEnvironment({ ONE_TOKEN: 'first-value-of-one', TWO_TOKEN: 'first-value-of-two' })
    const use = (names: readonly string[]) => async () => {
      for (const name of names) await login({ said: `it is ${process.env[name]}` })
    }
    const path = await recorded(use(['ONE_TOKEN', 'TWO_TOKEN']))
    withEnvironment({ ONE_TOKEN: 'other-value-of-one', TWO_TOKEN: 'other-value-of-two' })
    const same = await replayed(path, use(['ONE_TOKEN', 'TWO_TOKEN']))
    same.verifyComplete()
    const swapped = await replayed(path, use(['ONE_TOKEN', 'ONE_TOKEN']))
    expect(swapped.divergence?.details.kind).toBe('changed-input')
  })

  it('gives each of two calls that differ only in their secret its own answer, whichever comes first', async () => {
    withEnvironment({ ONE_TOKEN: 'first-value-of-one', TWO_TOKEN: 'first-value-of-two' })
    let number = 0
    const count = traceTool('count', async (_: unknown) => ++number)
    const ask = (name: string): Promise<number> => count({ token: process.env[name] })
    const path = await recorded(async () => [await ask('ONE_TOKEN'), await ask('TWO_TOKEN')])
    const session = new ReplaySession(readBundle(path), { order: 'any' })
    const answers = await session.run(async () => {
      const two = await ask('TWO_TOKEN')
      return [two, await ask('ONE_TOKEN')]
    })
    expect(answers).toEqual([2, 1])
  })
})
