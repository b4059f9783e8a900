/**
 * What recording costs, as installed, from dist/: a call that is recorded beside the same call made plainly (a tool, an HTTP
 * request answered in this process), its journal on disk; 10,000 calls at once, each with a call inside, their parents
 * checked; a stream of 1,000 chunks; the memory that a large answer takes. Prints microseconds and ratios of one run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as door from '../../src/index.ts'
import type * as testing from '../../src/testing.ts'

const dist = join(import.meta.dirname, '../../dist')
const { llmRequest, record, traceTool } = (await import(join(dist, 'index.js'))) as typeof door
const { readBundle } = (await import(join(dist, 'testing.js'))) as typeof testing

const CALLS = 2000
const BLOCK = 50
const MIB = 2 ** 20

const look = async ({ id }: { id: number }): Promise<object> => ({ id, note: 'it is open. '.repeat(15) })
const traced = traceTool('look', look)

const ROWS = Array.from({ length: 20 }, (_, at) => ({ at, city: 'Oslo', open: true }))

function answerWith(body: () => ConstructorParameters<typeof Response>[0], type: string): void {
  globalThis.fetch = () =>
    Promise.resolve(new Response(body() ?? null, { headers: { 'content-type': type } }))
}

async function fetched(id: number): Promise<unknown> {
  return (await fetch(`http://shop.test/items?id=${id}`)).json()
}

/** Microseconds a call: the median of blocks. */
async function timed(call: (id: number) => Promise<unknown>): Promise<number> {
  const blocks: number[] = []
  for (let from = 0; from < CALLS; from += BLOCK) {
    const began = performance.now()
    for (let id = from; id < from + BLOCK; id++) await call(id)
    blocks.push(((performance.now() - began) * 1000) / BLOCK)
  }
  return blocks.toSorted((a, b) => a - b)[Math.floor(blocks.length / 2)]!
}

async function recorded<R>(name: string, agent: () => Promise<R>): Promise<{ path: string; value: R }> {
  const path = join(folder, `${name}.sftrace`)
  return { path, value: await record({ agent: name, output: path }, agent as () => Promise<Awaited<R>>) }
}

async function compare(
  name: string,
  plain: (id: number) => Promise<unknown>,
  watched: (id: number) => Promise<unknown>,
): Promise<void> {
  const floor = await timed(plain)
  const { value } = await recorded(name, () => timed(watched))
  print(
    `  ${name}: plain ${floor.toFixed(1)} us a call, recorded ${value.toFixed(1)} us, +${(value - floor).toFixed(1)}`,
  )
}

async function atOnce(count: number): Promise<void> {
  const inner = (id: number): Promise<object> =>
    llmRequest({ provider: 'openai', model: 'm', input: { id } }, async () => ({ id }))
  const outer = traceTool('outer', async ({ id }: { id: number }) => {
    await new Promise(resolve => setTimeout(resolve, id % 7))
    return inner(id)
  })
  const began = performance.now()
  const { path } = await recorded('at-once', () =>
    Promise.all(Array.from({ length: count }, (_, id) => outer({ id }))),
  )
  const ms = performance.now() - began
  const calls = readBundle(path).origin!.log.flatMap(line => ('event' in line ? [line] : []))
  const right = calls.filter(({ call, inside }) =>
    call <= count ? inside === null : inside !== null && inside <= count,
  )
  const parents = new Set(calls.flatMap(({ inside }) => inside ?? []))
  print(
    `  ${count} calls at once, each with one inside: ${ms.toFixed(0)} ms with the bundle, ` +
      `parents right ${right.length} of ${calls.length}, ${parents.size} different`,
  )
}

async function streamOf(count: number): Promise<void> {
  const parts = Array.from({ length: count }, (_, at) => Buffer.from(`data: {"word": ${at}}\n\n`))
  answerWith(() => ReadableStream.from(parts) as ReadableStream<Uint8Array>, 'text/event-stream')
  const read = async (): Promise<number> => {
    const began = performance.now()
    for await (const _ of (await fetch('http://model.test/stream')).body!);
    return performance.now() - began
  }
  const floor = await read()
  const { value } = await recorded('stream', read)
  print(`  a stream of ${count} chunks: plain ${floor.toFixed(1)} ms, recorded ${value.toFixed(1)} ms`)
}

/** Peak of the whole process, sampled; the agent itself keeps nothing. */
async function download(mebibytes: number): Promise<void> {
  const part = Buffer.alloc(MIB, 'a line of text\n')
  const body = () =>
    ReadableStream.from(Array.from({ length: mebibytes }, () => part)) as ReadableStream<Uint8Array>
  answerWith(body, 'text/plain')
  const read = async (): Promise<number> => {
    let bytes = 0
    for await (const chunk of (await fetch('http://files.test/big')).body!) bytes += chunk.byteLength
    return bytes
  }
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 5)
  await read()
  await new Promise(resolve => setTimeout(resolve, 20))
  const floor = peak
  const { path } = await recorded('download', read)
  peak = Math.max(peak, process.memoryUsage().rss)
  clearInterval(timer)
  const { exchanges } = readBundle(path)
  print(
    `  an answer of ${mebibytes} MiB: ${((peak - floor) / MIB).toFixed(0)} MiB more than plain at the peak, ` +
      `${(exchanges[0]!.line.length / MIB).toFixed(0)} MiB kept`,
  )
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
const real = globalThis.fetch
try {
  print(`Node ${process.version}`)
  await compare(
    'a tool',
    id => look({ id }),
    id => traced({ id }),
  )
  answerWith(() => JSON.stringify({ id: 1, rows: ROWS }), 'application/json')
  await compare('a request', fetched, fetched)
  await atOnce(10_000)
  await streamOf(1000)
  await download(200)
} finally {
  globalThis.fetch = real
  rmSync(folder, { recursive: true, force: true })
}
