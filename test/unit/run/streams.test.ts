import { describe, expect, it } from 'vitest'
import { llmRequest, record, traceTool } from '../../../src/index.ts'
import { type CheckedOutcome, replay } from '../../../src/testing.ts'
import { eventsOf, freshPath, happened, recording } from './desk.ts'

type Agent = (input: string) => Promise<unknown>

/** The words of a model's answer, as an SDK streams them: a promise of an object that can be read once. */
const words = (text: string): Promise<AsyncIterable<string>> =>
  llmRequest({ provider: 'openai', model: 'gpt', input: { text } }, async () => {
    happened.push('model')
    return {
      async *[Symbol.asyncIterator]() {
        for (const word of text.split(' ')) yield word
      },
    }
  })

const lines = traceTool('lines', async function* (count: number) {
  happened.push('lines')
  for (let line = 1; line <= count; line++) yield `line ${line}`
  return count
})

/** No async function, but it gives a stream. */
const numbers = traceTool('numbers', (count: number) => {
  happened.push('numbers')
  return (async function* () {
    for (let number = 1; number <= count; number++) yield number
  })()
})

async function all<T>(stream: AsyncIterable<T>, most = Number.POSITIVE_INFINITY): Promise<T[]> {
  const read: T[] = []
  for await (const value of stream) {
    read.push(value)
    if (read.length === most) break
  }
  return read
}

async function again(agent: Agent, other: Agent = agent): Promise<CheckedOutcome> {
  const path = await recording(agent)
  const outcome = await replay(path, { agent: other })
  expect(happened).toEqual([])
  return outcome
}

describe('an unchanged agent matches its recording', () => {
  it.each<[string, Agent]>([
    ['a promise of a stream', async text => all(await words(text))],
    ['a promise of a stream that is left early', async () => all(await words('a b c'), 2)],
    ['a promise of a stream of which nothing is read', async text => void (await words(text))],
    ['a generator', async () => all(lines(3))],
    ['a stream that is there at once', async () => all(numbers(3))],
    ['a stream that is there at once and is never read', async () => void numbers(3)],
    ['an empty stream', async () => all(numbers(0))],
    ['streams side by side', () => Promise.all([words('a b').then(all), all(lines(2)), all(numbers(2))])],
    ['the same stream once more', async text => [await all(await words(text)), await all(await words(text))]],
  ])('%s', async (_what, agent) => {
    const outcome = await again(agent)
    expect(outcome.divergences).toEqual([])
    expect(outcome.verdict).toBe('matched')
  })

  it('one that streams and one that does not, of the same model', async () => {
    const ask = (text: string, stream: boolean): Promise<unknown> =>
      llmRequest({ model: 'gpt', input: { text, stream } }, async () => (stream ? lineStream() : 'whole'))
    const agent = async (): Promise<unknown> => [
      await ask('x', false),
      await all((await ask('x', true)) as AsyncIterable<string>),
    ]
    expect((await again(agent)).verdict).toBe('matched')
  })

  it('one whose stream fails before it begins, and is tried again', async () => {
    const path = await recording(retried([new Error('overloaded'), null]))
    const outcome = await replay(path, { agent: retried([null, null]) })
    expect(outcome.verdict).toBe('matched')
  })

  it('one whose stream fails on the way', async () => {
    const agent: Agent = async () => {
      const read: unknown[] = []
      const stream = await llmRequest({ model: 'gpt', input: 1 }, async () => failingStream())
      try {
        for await (const word of stream) read.push(word)
      } catch (error) {
        read.push((error as { code: string }).code)
      }
      return read
    }
    const outcome = await again(agent)
    expect(outcome).toMatchObject({ verdict: 'matched', output: { equal: true } })
  })
})

describe('a web stream', () => {
  const open = traceTool('open', (text: string) => {
    happened.push('open')
    return new ReadableStream<string>({
      start: stream => {
        for (const word of text.split(' ')) stream.enqueue(word)
        stream.close()
      },
    })
  })
  const upper = () =>
    new TransformStream<string, string>({ transform: (word, out) => out.enqueue(word.toUpperCase()) })

  it.each<[string, Agent]>([
    ['by a reader', async () => (await open('a b').getReader().read()).value],
    ['as an iterable', async () => all(open('a b'))],
    ['through a transform', async () => all(open('a b').pipeThrough(upper()))],
    [
      'as the body of a Response',
      async () => new Response(open('a b').pipeThrough(new TextEncoderStream())).text(),
    ],
    [
      'twice, by tee',
      async () =>
        Promise.all(
          open('a b')
            .tee()
            .map(half => all(half)),
        ),
    ],
    ['not at all: it is cancelled', async () => open('a b').cancel()],
  ])('can be read as it was recorded: %s', async (_how, agent) => {
    const outcome = await again(agent)
    expect(outcome.divergences).toEqual([])
    expect(outcome.verdict).toBe('matched')
  })
})

describe('what is recorded of a promise of a stream', () => {
  it('is one response with all of its words', async () => {
    const path = await recording(async () => all(await words('to be')))
    expect(eventsOf(path)[2]).toMatchObject({
      type: 'llm_response',
      output: { yielded: ['to', 'be'], returned: null },
    })
  })

  it('is that it began, also when nothing was read', async () => {
    const path = await recording(async () => void (await words('to be')))
    expect(eventsOf(path)[2]).toMatchObject({ output: { yielded: [], returned: null } })
  })
})

describe('a stream that the recording does not have', () => {
  it('is a changed input, and is lent the recorded words', async () => {
    const outcome = await again(
      async () => all(await words('a b')),
      async () => words('other').then(all, error => (error as Error).name),
    )
    expect(outcome.divergences.map(({ kind }) => kind)).toContain('changed-input')
  })

  it('has no result for what is read beyond the recorded part', async () => {
    const outcome = await again(
      async () => all(await words('a b c'), 1),
      async () => all(await words('a b c'), 3),
    )
    expect(outcome.divergences[0]).toMatchObject({ kind: 'no-result', call: 1 })
  })
})

describe('a stream that tidies up when it is left early', () => {
  const log = traceTool('log', async (line: string) => void happened.push(line))
  const tidy = traceTool('tidy', async function* (failure: Error | null) {
    try {
      yield* ['a', 'b']
    } finally {
      await new Promise(resolve => setTimeout(resolve, 2))
      await log('tidied')
      if (failure !== null) await Promise.reject(failure)
    }
  })

  it('does so inside its call, so that a replay does not ask for it', async () => {
    const path = await recording(async () => all(tidy(null), 1))
    expect((await replay(path, { agent: async () => all(tidy(null), 1) })).divergences).toEqual([])
    const [, made, inside] = eventsOf(path).filter(({ type }) => /start|call/.test(String(type)))
    expect(inside).toMatchObject({ name: 'log', parent_id: made!.id })
  })

  it('has the agent wait for that, and get its error', async () => {
    const error = await record({ agent: 'tidy', output: freshPath() }, () =>
      all(tidy(new Error('not tidy')), 1),
    ).catch(thrown => thrown)
    expect([happened, error.message]).toEqual([['tidied'], 'not tidy'])
    happened.length = 0
  })
})

describe('a stream by an iterator of its own', () => {
  it.each<[string, () => unknown]>([
    [
      'that throws at once',
      () => {
        throw new Error('no part')
      },
    ],
    ['whose step is no promise', () => ({ done: true, value: undefined })],
  ])('%s is read as without us', async (_what, next) => {
    const own = traceTool('own', () => ({ [Symbol.asyncIterator]: () => ({ next }) }))
    const agent = async (): Promise<unknown> =>
      all(own() as unknown as AsyncIterable<unknown>).catch(error => error.message)
    const plain = await agent()
    const path = freshPath()
    expect(await record({ agent: 'own', output: path }, agent)).toEqual(plain)
    expect((await replay(path, { agent })).verdict).toBe('matched')
  })
})

async function* lineStream(): AsyncGenerator<string> {
  yield 'a'
  yield 'b'
}

async function* failingStream(): AsyncGenerator<string> {
  yield 'a'
  throw Object.assign(new Error('cut off'), { code: 'ECONNRESET' })
}

/** Fails where it is told to, else streams; tried until it streams. */
function retried(failures: readonly (Error | null)[]): Agent {
  const left = [...failures]
  const once = (): Promise<AsyncIterable<string>> =>
    llmRequest({ model: 'gpt', input: 'x' }, async () => {
      const failure = left.shift()
      if (failure) throw failure
      return lineStream()
    })
  return async () => all(await once().catch(once))
}
