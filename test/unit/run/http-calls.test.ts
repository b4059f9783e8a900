/** What becomes of an HTTP request in a recording and in a replay, below whichever layer caught it. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { answerParts } from '../../../src/boundary/answer-parts.ts'
import { httpCall } from '../../../src/boundary/http-call.ts'
import { traceTool } from '../../../src/boundary/trace-tool.ts'
import { replayHere } from '../../../src/replay-here.ts'
import { recordRun } from '../../../src/run/record-run.ts'
import { readBundle } from '../../../src/store/read-bundle.ts'
import type { ExchangeLayer, HttpAnswer } from '../../../src/trace/exchange.ts'
import { validateBundle } from '../../../src/validate.ts'

const JSON_TYPE = [['content-type', 'application/json']] as const

function answer(body: string, status = 200): HttpAnswer {
  return { head: { status, statusText: '', headers: JSON_TYPE }, body }
}

function streamed(parts: readonly string[], after?: () => void): HttpAnswer {
  async function* body(): AsyncGenerator<Uint8Array, undefined> {
    for (const part of parts) {
      await new Promise(resolve => setTimeout(resolve, 2))
      yield Buffer.from(part)
    }
    after?.()
  }
  return {
    head: { status: 200, statusText: 'OK', headers: [['Content-Type', 'text/event-stream']] },
    body: body(),
  }
}

async function* partsIn(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, undefined> {
  yield* parts
}

let sent = 0

/** As a layer does it: the request is answered, and the body read part by part. */
async function ask(
  url: string,
  send: () => HttpAnswer | Promise<HttpAnswer>,
  {
    body = null as string | null,
    signal = null as AbortSignal | null,
    parts = Number.POSITIVE_INFINITY,
    layer = 'fetch' as ExchangeLayer,
  } = {},
): Promise<{ status: number; parts: string[] }> {
  const call = httpCall(
    { method: body === null ? 'GET' : 'POST', url: new URL(url), header: () => null, body },
    layer,
  )
  const really = async (): Promise<HttpAnswer> => {
    sent++
    return send()
  }
  const got = call === null ? await really() : await call(really, signal, ask as never)
  return { status: got.head.status, parts: await partsOf(got.body, parts) }
}

async function partsOf(body: HttpAnswer['body'], most: number): Promise<string[]> {
  if (body === null) return []
  if (typeof body === 'string' || body instanceof Uint8Array) return [Buffer.from(body as string).toString()]
  const parts: string[] = []
  if (most === 0) return parts
  for await (const part of body) {
    parts.push(Buffer.from(part).toString())
    if (parts.length >= most) break
  }
  return parts
}

async function recordedAndReplayed(agent: () => unknown) {
  const path = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
  sent = 0
  const output = await recordRun({ agent: 'http', output: path }, agent as never).catch(error => error)
  const sentThen = sent
  const outcome = await replayHere(path, agent as never)
  return { path, output, sentThen, sentNow: sent - sentThen, outcome }
}

describe('a request that is answered as a whole', () => {
  it('is sent once, and comes out of the recording with the same bytes', async () => {
    const { output, outcome, sentThen, sentNow } = await recordedAndReplayed(async () => {
      const first = await ask('http://shop.test/a', () => answer('{"price": 12}'))
      const second = await ask('http://shop.test/b', () => answer('{"price": 13}', 404))
      return [first, second]
    })
    expect(output).toEqual([
      { status: 200, parts: ['{"price": 12}'] },
      { status: 404, parts: ['{"price": 13}'] },
    ])
    expect([outcome.verdict, outcome.divergences, sentThen, sentNow]).toEqual(['matched', [], 2, 0])
  })

  it('may have a status of the server alone', async () => {
    const { output, outcome } = await recordedAndReplayed(() =>
      ask('http://shop.test/a', () => answer('denied', 999)),
    )
    expect([output, outcome.verdict]).toEqual([{ status: 999, parts: ['denied'] }, 'matched'])
  })

  it('may not have a status in its recording that no answer has', async () => {
    const { path } = await recordedAndReplayed(() => ask('http://shop.test/a', () => answer('1')))
    const file = join(path, 'x-exchanges.jsonl')
    const text = readFileSync(file, 'utf8')
    for (const [status, told] of [
      [100, 'must be 200 or more'],
      [1000, 'must be 999 or less'],
    ]) {
      writeFileSync(file, text.replace('"status":200', `"status":${status}`))
      expect(() => readBundle(path)).toThrow(`x-exchanges.jsonl:2: "head.status" ${told}`)
    }
  })

  it('may be read later than the next request is made', async () => {
    const { outcome } = await recordedAndReplayed(async () => {
      const [one, two] = await Promise.all([
        ask('http://shop.test/a', () => answer('1')),
        ask('http://shop.test/b', async () => {
          await new Promise(resolve => setTimeout(resolve, 3))
          return answer('2')
        }),
      ])
      return [one, two]
    })
    expect(outcome.verdict).toBe('matched')
  })

  it('may stay unread', async () => {
    const { outcome } = await recordedAndReplayed(async () => {
      const { status } = await ask('http://shop.test/a', () => streamed(['data: 1\n\n']), { parts: 0 })
      return status
    })
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })
})

describe('an answer that names its tokens', () => {
  it('comes with the same bytes, as they are no secrets', async () => {
    const choice = { index: 0, logprobs: { content: [{ token: 'Hello', logprob: -0.1, bytes: null }] } }
    const event = `data: ${JSON.stringify({ id: 'c', choices: [{ ...choice, delta: { content: 'Hello' } }] })}\n\n`
    const { output, outcome } = await recordedAndReplayed(async () => {
      const plain = await ask('http://shop.test/a', () => answer(JSON.stringify({ choices: [choice] })))
      const body = JSON.stringify({ model: 'm', messages: [], stream: true })
      const parts = [event.slice(0, 30), event.slice(30), 'data: [DONE]\n\n']
      const stream = await ask('http://model.test/v1/chat/completions', () => streamed(parts), { body })
      return [plain, stream].map(({ parts: got }) => got.join('').includes('"token":"Hello"'))
    })
    expect(output).toEqual([true, true])
    expect([outcome.verdict, outcome.output.differences]).toEqual(['matched', []])
  })
})

describe('a stream in which a secret lies scattered over the parts', () => {
  it('is made anew of the output, with fewer parts than there were, and ends', async () => {
    const said = ['The key ', 'is sk-', 'abcdefghij', 'klmnopqrst', 'uvwxyz0123', ', keep', ' it.']
    const parts = said.map(
      content => `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`,
    )
    const { outcome, path, sentNow } = await recordedAndReplayed(async () => {
      const body = JSON.stringify({ model: 'm', messages: [], stream: true })
      const { parts: got } = await ask(
        'http://model.test/v1/chat/completions',
        () => streamed([...parts, 'data: [DONE]\n\n']),
        { body },
      )
      return got.at(-1)
    })
    expect([outcome.verdict, outcome.divergences, sentNow]).toEqual(['matched', [], 0])
    expect(readFileSync(join(path, 'x-exchanges.jsonl'), 'utf8')).toContain('"chunks":null')
    expect(readFileSync(join(path, 'events.jsonl'), 'utf8')).toContain('The key is [REDACTED], keep it.')
  })
})

describe('a request that asks for a stream where the recorded one did not', () => {
  const completion = {
    id: 'c',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' } }],
  }
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' } }],
  }
  const whole = () => answer(JSON.stringify(completion))
  const parts = () => streamed([`data: ${JSON.stringify(chunk)}\n\n`, '\n', '\n', 'data: [DONE]\n\n'])

  /** First without, then with a stream, or the other way round. */
  async function changed(first: boolean): Promise<{ text: string; kinds: string[] }> {
    let text = ''
    let stream = first
    const { outcome } = await recordedAndReplayed(async () => {
      const body = JSON.stringify({ model: 'm', messages: [], ...(stream && { stream }) })
      const got = await ask('http://model.test/v1/chat/completions', stream ? parts : whole, { body })
      stream = !stream
      text = got.parts.join('')
    })
    return { text, kinds: outcome.divergences.map(({ kind }) => kind) }
  }

  it('is lent the recorded answer as a stream, so that its package can read it', async () => {
    const { text, kinds } = await changed(false)
    expect(kinds).toEqual(['changed-input'])
    expect(text).toMatch(/^data: \{.*"content":"Hi\.".*data: \[DONE\]\n\n$/s)
  })

  it('is lent it in one piece the other way round', async () => {
    const { text, kinds } = await changed(true)
    expect(kinds).toEqual(['changed-input'])
    expect(JSON.parse(text)).toMatchObject(completion)
  })
})

describe('a request that is answered part by part', () => {
  it('gives the same parts', async () => {
    const parts = ['data: {"a"', ':1}\n\n', 'data: [DONE]\n\n']
    const { output, outcome, path } = await recordedAndReplayed(() =>
      ask('http://model.test/x', () => streamed(parts)),
    )
    expect(output).toEqual({ status: 200, parts })
    expect([outcome.verdict, outcome.divergences, outcome.output.differences]).toEqual(['matched', [], []])
    expect(readFileSync(join(path, 'x-exchanges.jsonl'), 'utf8')).toContain('"data: {\\"a\\""')
  })

  it('may be broken off by the agent', async () => {
    const { output, outcome } = await recordedAndReplayed(() =>
      ask('http://model.test/x', () => streamed(['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']), { parts: 2 }),
    )
    expect((output as { parts: string[] }).parts).toEqual(['data: 1\n\n', 'data: 2\n\n'])
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })

  it('of no stream may be broken off as well', async () => {
    const head = { status: 200, statusText: 'OK', headers: [['content-type', 'text/plain']] as const }
    const { output, outcome } = await recordedAndReplayed(() =>
      ask('http://shop.test/x', () => ({ ...streamed(['a', 'b', 'c']), head }), { parts: 2 }),
    )
    expect((output as { parts: string[] }).parts).toEqual(['a', 'b'])
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })

  it('may be broken off after its first part, which may hold all that the agent wants', async () => {
    const { output, outcome } = await recordedAndReplayed(() =>
      ask('http://model.test/x', () => streamed(['data: 1\n\ndata: [DONE]\n\n', '\n']), { parts: 1 }),
    )
    expect((output as { parts: string[] }).parts).toEqual(['data: 1\n\ndata: [DONE]\n\n'])
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })

  it('may fail while it is broken off, which nobody waits for', async () => {
    const body = (): AsyncIterableIterator<Uint8Array> => ({
      [Symbol.asyncIterator]() {
        return this
      },
      next: async () => ({ done: false, value: Buffer.from('data: 1\n\n') }),
      return: () => Promise.reject(new DOMException('This operation was aborted', 'AbortError')),
    })
    const { outcome } = await recordedAndReplayed(() =>
      ask('http://model.test/x', () => ({ ...streamed([]), body: body() }), { parts: 1 }),
    )
    expect([outcome.verdict, outcome.divergences]).toEqual(['matched', []])
  })

  it('fails in the same place', async () => {
    const { outcome, output } = await recordedAndReplayed(async () => {
      const failing = () =>
        streamed(['data: 1\n\n', 'data: 2\n\n'], () => {
          throw Object.assign(new TypeError('terminated'), { code: 'UND_ERR_SOCKET' })
        })
      return ask('http://model.test/x', failing).catch(error => [error.name, error.message, error.code])
    })
    expect(output).toEqual(['TypeError', 'terminated', 'UND_ERR_SOCKET'])
    expect([outcome.verdict, outcome.output.differences]).toEqual(['matched', []])
  })
})

describe('the bytes of an answer', () => {
  const exchanges = (path: string): string => readFileSync(join(path, 'x-exchanges.jsonl'), 'utf8')
  const packed = (bytes: Buffer, encoding: string): HttpAnswer => ({
    head: { status: 200, statusText: 'OK', headers: [...JSON_TYPE, ['content-encoding', encoding]] },
    body: partsIn([bytes.subarray(0, 10), bytes.subarray(10)]),
  })

  it('are recorded as they came, whatever the agent does with them then', async () => {
    const { path, outcome } = await recordedAndReplayed(async () => {
      const whole = httpCall(
        { method: 'GET', url: new URL('http://shop.test/a'), header: () => null, body: null },
        'undici',
      )!
      const { body } = await whole(async () => answer('as they came'), null, ask as never)
      const parts = answerParts(body)
      for (let step = await parts.next(); !step.done; step = await parts.next()) step.value.fill(88)
    })
    expect([exchanges(path).includes('as they came'), outcome.verdict]).toEqual([true, 'matched'])
  })

  it('are unpacked, so that a secret in them is found, also where the agent stops in the middle', async () => {
    const secret = `sk-${'Ab3dEf9hIj2kLm'.repeat(3)}`
    const text = JSON.stringify({ secret, more: randomBytes(3000).toString('hex') })
    const { path } = await recordedAndReplayed(async () => {
      const whole = gzipSync(text)
      const cut = whole.subarray(0, whole.length - 500)
      await ask('http://shop.test/a', () => packed(cut, 'gzip'), { layer: 'http', parts: 2 })
    })
    expect(exchanges(path)).toContain('"chunks":["{\\"secret\\":\\"[REDACTED]')
    expect(exchanges(path)).not.toContain('content-encoding')
  })

  it('keep their packing, and its name, where nobody here knows it', async () => {
    const { path, outcome } = await recordedAndReplayed(() =>
      ask('http://shop.test/a', () => packed(Buffer.from([200, 1, 2, 3]), 'own'), { layer: 'http' }),
    )
    expect(exchanges(path)).toContain('["content-encoding","own"]')
    expect(outcome.verdict).toBe('matched')
  })
})

describe('a secret of the environment that a server says in its head', () => {
  it('is on the disk at no time', async () => {
    process.env.SHOP_TOKEN = 'Kx-plain/0011+words'
    const folder = mkdtempSync(join(tmpdir(), 'stepfork-http-'))
    const all = (name: string): string =>
      readdirSync(join(folder, name))
        .map(file => readFileSync(join(folder, name, file), 'utf8'))
        .join('\n')
    const during = await recordRun({ agent: 'http', output: join(folder, 'run.sftrace') }, async () => {
      const headers = [['location', `/pay/${process.env.SHOP_TOKEN}`]] as const
      await ask('http://shop.test/a', () => ({ head: { status: 302, statusText: '', headers }, body: null }))
      await new Promise(resolve => setTimeout(resolve, 10))
      return all('run.sftrace.part')
    }).finally(() => delete process.env.SHOP_TOKEN)
    expect(during).toContain('["location","/pay/[REDACTED]"]')
    for (const text of [during, all('run.sftrace')]) expect(text).not.toContain('0011+words')
  })
})

describe('a secret that a model says piece by piece', () => {
  const key = `sk-${'Ab3dEf9hIj2kLm'.repeat(3)}`
  const pieces = key.match(/.{1,17}/g)!
  const event = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

  it('is in no file, not even in pieces, and the answer is still streamed', async () => {
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], stream: true })
    const agent = async (): Promise<string> => {
      const { parts } = await ask(
        'http://model.test/v1/chat/completions',
        () => streamed([...pieces.map(event), 'data: [DONE]\n\n']),
        { body },
      )
      return parts.length > 0 ? 'streamed' : 'nothing'
    }
    const { outcome, path } = await recordedAndReplayed(agent)
    const written = readdirSync(path).map(name => readFileSync(join(path, name), 'utf8'))
    for (const piece of pieces) expect(written.filter(text => text.includes(piece))).toEqual([])
    expect([outcome.verdict, outcome.output.equal]).toEqual(['matched', true])
  })
})

describe('a body that is too large to be kept', () => {
  it('reaches the agent, is told, and is refused by a replay', async () => {
    const part = Buffer.alloc(2 ** 20, 7)
    async function* body(): AsyncGenerator<Uint8Array, undefined> {
      for (let at = 0; at < 97; at++) yield part
    }
    const head = {
      status: 200,
      statusText: 'OK',
      headers: [['content-type', 'application/octet-stream']] as const,
    }
    const download = async (): Promise<number> => {
      const url = new URL('http://files.test/big')
      const call = httpCall({ method: 'GET', url, header: () => null, body: null }, 'fetch')!
      const got = await call(async () => ({ head, body: body() }), null, download as never)
      let bytes = 0
      for await (const piece of got.body as AsyncIterable<Uint8Array>) bytes += piece.byteLength
      return bytes
    }
    const path = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
    expect(await recordRun({ agent: 'big', output: path }, download as never)).toBe(97 * 2 ** 20)
    expect(validateBundle(path, { verifyIntegrity: true }).issues).toEqual([])
    const { verdict, divergences } = await replayHere(path, download as never)
    expect([verdict, divergences.map(({ kind }) => kind)]).toEqual([
      'diverged',
      expect.arrayContaining(['no-result']),
    ])
  })
})

describe('a request that fails', () => {
  it('fails in the same way, cause and code included', async () => {
    const { output, outcome, sentNow } = await recordedAndReplayed(() =>
      ask('http://down.test/', () => {
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
        })
      }).catch(error => [error.name, error.message, error.cause.code]),
    )
    expect(output).toEqual(['TypeError', 'fetch failed', 'ECONNREFUSED'])
    expect([outcome.verdict, outcome.divergences, sentNow]).toEqual(['matched', [], 0])
  })

  it('is aborted before its answer by the agent', async () => {
    const { output, outcome, sentNow } = await recordedAndReplayed(() => {
      const signal = AbortSignal.timeout(5)
      const never = () =>
        new Promise<HttpAnswer>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      return ask('http://slow.test/', never, { signal }).catch(error => error.name)
    })
    expect([output, outcome.verdict, sentNow]).toEqual(['TimeoutError', 'matched', 0])
  })
})

describe('a request that the recording does not know', () => {
  it('is not sent, and answered by a status that no library tries again', async () => {
    let path = '/a'
    const agent = () => ask(`http://shop.test${path}`, () => answer('1'), { body: '{"n":1}' })
    const folder = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
    await recordRun({ agent: 'http', output: folder }, agent as never)
    path = '/b'
    sent = 0
    const outcome = await replayHere(folder, agent as never)
    expect([outcome.verdict, sent]).toEqual(['diverged', 0])
    expect(outcome.divergences.map(({ kind }) => kind)).toContain('changed-input')
  })

  for (const [what, errorOf] of [
    ['in its message', (told: string) => new Error(`400 ${told}`)],
    ['behind it', (told: string) => new Error('request failed', { cause: new Error(told) })],
    [
      'in the answer beside it',
      (told: string) => Object.assign(new Error('status 400'), { response: { data: { error: told } } }),
    ],
  ] as const) {
    it(`explains the library's own error that has the refusal ${what}`, async () => {
      let isChanged = false
      const agent = async () => {
        if (!isChanged) return ask('http://shop.test/a', () => answer('1'))
        const { status, parts } = await ask('http://shop.test/b', () => answer('1'), { body: '{}' })
        throw status === 400 ? errorOf(JSON.parse(parts.join('')).error) : new Error('no refusal')
      }
      const folder = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
      await recordRun({ agent: 'http', output: folder }, agent as never)
      isChanged = true
      const { divergences } = await replayHere(folder, agent as never)
      expect(divergences.map(({ kind, root }) => [kind, root])).toEqual([
        ['extra', true],
        ['missing', false],
        ['agent-error', false],
      ])
    })
  }
})

describe('a request to another model', () => {
  const asked = async (model: string, question: string) =>
    ask('http://model.test/v1/chat/completions', () => answer('{"choices":[]}'), {
      body: JSON.stringify({ model, messages: [{ role: 'user', content: question }] }),
    })
  const changed = async (model: string, question: string) => {
    let [name, text] = ['gpt-4o', 'hi']
    const agent = () => asked(name, text)
    const folder = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
    await recordRun({ agent: 'http', output: folder }, agent as never)
    ;[name, text] = [model, question]
    const { divergences } = await replayHere(folder, agent as never)
    return divergences.map(({ kind, call, differences }) => [kind, call, differences.map(({ path }) => path)])
  }

  it('that asks the same is a call of another model', async () => {
    expect(await changed('gpt-4o-mini', 'hi')).toEqual([['changed-target', 1, ['/request/model']]])
  })

  it('that asks something else is a call that the recording does not know', async () => {
    expect(await changed('gpt-4o-mini', 'bye')).toEqual([
      ['extra', null, []],
      ['missing', 1, []],
      ['output-differs', null, ['/status', '/parts/0']],
    ])
  })
})

describe('requests in another order', () => {
  it('cannot be freed one by one, so the report offers to free all', async () => {
    let order = ['a', 'b']
    const agent = async () => {
      for (const path of order) await ask(`http://shop.test/${path}`, () => answer('1'))
    }
    const folder = join(mkdtempSync(join(tmpdir(), 'stepfork-http-')), 'run.sftrace')
    await recordRun({ agent: 'http', output: folder }, agent as never)
    order = ['b', 'a']
    const { divergences } = await replayHere(folder, agent as never)
    expect(divergences.map(({ kind, facts }) => [kind, facts.isHttp])).toEqual([['reordered', true]])
  })
})

describe('a request inside a tool', () => {
  it('is how the tool works, and no call', async () => {
    const price = traceTool(
      'price',
      async () => (await ask('http://shop.test/a', () => answer('7'))).parts[0],
    )
    const { outcome, sentThen, sentNow } = await recordedAndReplayed(() => price())
    expect([outcome.verdict, outcome.totals.recorded, sentThen, sentNow]).toEqual(['matched', 1, 1, 0])
  })

  it('is no call when it is made as the agent leaves its stream', async () => {
    const prices = traceTool('prices', async function* () {
      try {
        yield 7
      } finally {
        await ask('http://shop.test/close', () => answer('closed'))
      }
    })
    const { outcome, sentThen, sentNow } = await recordedAndReplayed(async () => {
      for await (const price of prices()) return price
      return null
    })
    expect([outcome.verdict, outcome.totals.recorded, sentThen, sentNow]).toEqual(['matched', 1, 1, 0])
  })
})
