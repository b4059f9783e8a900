/**
 * A replayed call of the `openai` package, its body checked, beside the package alone with an answer made beforehand (the
 * floor) and other ways to answer it, none of which checks the body: undici's MockAgent, aimock (a server), and nock and msw
 * where they are installed, each in a process of its own as they patch what all use. JSON, and a
 * stream of 100 chunks. As installed, from dist/. The same process, in rotation; medians of blocks; prints microseconds and the ratio to the floor.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpenAI from 'openai'
import { MockAgent } from 'undici'
import type * as door from '../../src/index.ts'
import type * as testing from '../../src/testing.ts'

const dist = join(import.meta.dirname, '../../dist')
const { record } = (await import(join(dist, 'index.js'))) as typeof door
const { readBundle, ReplaySession } = (await import(join(dist, 'testing.js'))) as typeof testing
const CALLS = Number(process.env.STEPFORK_BENCH_CALLS ?? 1000)
const BLOCK = 20
const MODEL = 'gpt-4o'

const HEADERS = { 'content-type': 'application/json', 'x-request-id': 'req_1' }
const STREAM_HEADERS = { 'content-type': 'text/event-stream' }

const JSON_BODY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_760_000_000,
  model: MODEL,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'It was sent on Monday. '.repeat(20) },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 212, completion_tokens: 48, total_tokens: 260 },
})

const CHUNKS = [
  ...Array.from({ length: 98 }, (_, at) =>
    sse({ index: 0, delta: { content: `word${at} ` }, finish_reason: null }),
  ),
  sse({ index: 0, delta: {}, finish_reason: 'stop' }),
  'data: [DONE]\n\n',
]

function sse(choice: object): string {
  const chunk = {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: MODEL,
    choices: [choice],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}

function request(id: number) {
  return {
    model: MODEL,
    messages: [
      { role: 'system' as const, content: 'You are the support desk of a shop. '.repeat(10) },
      { role: 'user' as const, content: `Where is order A-${id}?` },
    ],
  }
}

/** In parts, as it came. */
function streamedBody(): ReadableStream<Uint8Array> {
  const parts = CHUNKS.map(chunk => Buffer.from(chunk))
  let at = 0
  return new ReadableStream(
    {
      pull: controller => {
        if (at === parts.length) controller.close()
        else controller.enqueue(parts[at++]!)
      },
    },
    { highWaterMark: 0 },
  )
}

function prebuilt(_url: unknown, init?: RequestInit): Promise<Response> {
  const isStream = (init!.body as string).includes('"stream":true')
  return Promise.resolve(
    isStream
      ? new Response(streamedBody(), { headers: STREAM_HEADERS })
      : new Response(JSON_BODY, { headers: HEADERS }),
  )
}

// What is sent while a run is going on in this process is a call of the run.
const REAL_FETCH = globalThis.fetch

const options = { apiKey: 'sk-none', baseURL: 'http://127.0.0.1:9999/v1', maxRetries: 0 }

type Way = 'json' | 'stream'

async function call(client: OpenAI, way: Way, id: number): Promise<void> {
  if (way === 'json') {
    await client.chat.completions.create(request(id))
    return
  }
  for await (const _ of await client.chat.completions.create({ ...request(id), stream: true }));
}

async function calls(client: OpenAI, way: Way, from: number, count: number): Promise<number> {
  const began = performance.now()
  for (let id = from; id < from + count; id++) await call(client, way, id)
  return ((performance.now() - began) * 1000) / count
}

interface Runner {
  readonly name: string
  block(way: Way, from: number, count: number): Promise<number>
  close(): Promise<void> | void
}

function floor(): Runner {
  const client = new OpenAI({ ...options, fetch: prebuilt as typeof fetch })
  return {
    name: 'the package alone, answer prebuilt (floor)',
    block: (...args) => calls(client, ...args),
    close: () => {},
  }
}

/** The run goes on block by block, while the others have theirs between. */
async function stepfork(path: string): Promise<Runner> {
  const session = new ReplaySession(readBundle(path))
  const blocks: {
    readonly args: [Way, number, number]
    readonly done: (us: number) => void
    readonly failed: (error: unknown) => void
  }[] = []
  let wake = (): void => {}
  let isOver = false
  const run = session.run(async () => {
    const client = new OpenAI(options)
    for (;;) {
      const next = blocks.shift()
      if (next !== undefined) await calls(client, ...next.args).then(next.done, next.failed)
      else if (isOver) return
      else await new Promise<void>(resolve => (wake = resolve))
    }
  })
  return {
    name: 'stepfork, body checked',
    block: (...args) =>
      new Promise((done, failed) => {
        blocks.push({ args, done, failed })
        wake()
      }),
    close: async () => {
      isOver = true
      wake()
      await run
      session.verifyComplete()
    },
  }
}

function mockAgent(): Runner {
  const agent = new MockAgent()
  agent.disableNetConnect()
  const intercept = { path: '/v1/chat/completions', method: 'POST' }
  agent
    .get('http://127.0.0.1:9999')
    .intercept(intercept)
    .reply(({ body }) =>
      String(body).includes('"stream":true')
        ? { statusCode: 200, data: CHUNKS.join(''), responseOptions: { headers: STREAM_HEADERS } }
        : { statusCode: 200, data: JSON_BODY, responseOptions: { headers: HEADERS } },
    )
    .persist()
  const client = new OpenAI({
    ...options,
    fetch: REAL_FETCH,
    fetchOptions: { dispatcher: agent as never },
  })
  return {
    name: "undici's MockAgent, nothing checked, the stream in one part",
    block: (...args) => calls(client, ...args),
    close: () => agent.close(),
  }
}

async function recordCalls(path: string): Promise<void> {
  const real = globalThis.fetch
  globalThis.fetch = prebuilt as typeof fetch
  try {
    await record({ agent: 'bench', output: path }, async () => {
      const client = new OpenAI(options)
      for (const way of ['json', 'stream'] as const)
        for (let id = 0; id < CALLS; id++) await call(client, way, id)
    })
  } finally {
    globalThis.fetch = real
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Of packages that patch the process, or need a server. */
const PEERS: { readonly [name: string]: () => Promise<Runner> } = {
  nock: async () => {
    const nock = await load('nock')
    const answer = (_: string, body: { readonly stream?: boolean }) =>
      body.stream === true ? [200, CHUNKS.join(''), STREAM_HEADERS] : [200, JSON_BODY, HEADERS]
    nock.default('http://127.0.0.1:9999').persist().post('/v1/chat/completions').reply(answer)
    return peer('nock', options.baseURL)
  },
  msw: async () => {
    const [{ setupServer }, { http, HttpResponse }] = [await load('msw/node'), await load('msw')]
    const answer = async ({ request: asked }: { readonly request: Request }) =>
      (await asked.text()).includes('"stream":true')
        ? new HttpResponse(streamedBody(), { headers: STREAM_HEADERS })
        : new HttpResponse(JSON_BODY, { headers: HEADERS })
    setupServer(http.post('http://127.0.0.1:9999/v1/chat/completions', answer)).listen()
    return peer('msw, the stream in its parts', options.baseURL)
  },
  '@copilotkit/aimock': async () => {
    const { LLMock } = await load('@copilotkit/aimock')
    const server = new LLMock({ port: 0, chunkSize: 8 })
    server.on({ userMessage: 'Where is order' }, { content: 'It was sent on Monday. '.repeat(20) })
    await server.start()
    return peer('aimock, a server in this process, about 60 chunks', `${server.url}/v1`)
  },
}

/** Only nock and msw need not be there. */
// biome-ignore lint/suspicious/noExplicitAny: packages of which no types are installed
function load(name: string): Promise<any> {
  return import(name)
}

function peer(name: string, baseURL: string): Runner {
  const client = new OpenAI({ ...options, baseURL })
  return { name, block: (...args) => calls(client, ...args), close: () => {} }
}

async function compare(runners: readonly Runner[]): Promise<void> {
  for (const way of ['json', 'stream'] as const) {
    const times = new Map(runners.map(runner => [runner.name, [] as number[]]))
    for (let from = 0; from < CALLS; from += BLOCK)
      for (const runner of runners) times.get(runner.name)!.push(await runner.block(way, from, BLOCK))
    const base = median(times.get(runners[0]!.name)!)
    print(way === 'json' ? '\nJSON' : '\na stream of 100 chunks')
    for (const [name, blocks] of times) {
      const tenth = Math.ceil(blocks.length / 10)
      const ends = `${median(blocks.slice(0, tenth)).toFixed(0)}, ${median(blocks.slice(-tenth)).toFixed(0)}`
      const ratio = (median(blocks) / base).toFixed(2)
      print(`  ${name.padEnd(60)} ${median(blocks).toFixed(0).padStart(6)}  ${ratio}x  (${ends})`)
    }
  }
  for (const runner of runners) await runner.close()
}

async function comparePeer(name: string): Promise<void> {
  try {
    await compare([floor(), await PEERS[name]!()])
  } catch (error) {
    print(`\n${name}: ${(error as Error).message.split('\n', 1)[0]}`)
  }
  process.exit()
}

async function compareAll(): Promise<void> {
  const path = join(folder, 'http.sftrace')
  await recordCalls(path)
  print(`Node ${process.version}, openai, ${CALLS} calls each, microseconds a call (first tenth, last tenth)`)
  await compare([floor(), await stepfork(path), mockAgent()])
  for (const name of Object.keys(PEERS)) {
    const env = { ...process.env, STEPFORK_BENCH_PEER: name }
    spawnSync(process.execPath, [...process.execArgv, import.meta.filename], { env, stdio: 'inherit' })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  await (process.env.STEPFORK_BENCH_PEER === undefined
    ? compareAll()
    : comparePeer(process.env.STEPFORK_BENCH_PEER))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
