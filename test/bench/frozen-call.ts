/**
 * One replayed `traceTool` call, from 1,000 to 100,000 in a row, beside the floors of checking one input and handing out
 * one output: the same payloads, the same process, in rotation. Prints microseconds a call.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceTool } from '../../src/boundary/trace-tool.ts'
import { sameJson } from '../../src/json/compare.ts'
import { digest } from '../../src/json/digest.ts'
import type { Json } from '../../src/json/value.ts'
import { prepareReplay, recordHere } from '../proof/run-here.ts'

type Input = { readonly id: number; readonly [name: string]: Json }

const here = { ownsProcess: false, timers: null } as const

/** About `bytes` of JSON: flat for a small one, 22 keys on 4 levels for a large one. */
function inputOf(id: number, bytes: number): Input {
  if (bytes < 1000)
    return { id, order: `A-${id}`, note: words(id, bytes - 90), urgent: id % 2 === 0, price: 12.5 }
  return {
    id,
    model: 'large',
    temperature: 0.2,
    tools: ['search', 'order_status', 'refund'].map(name => ({ name, strict: true })),
    messages: [0, 1, 2, 3].map(at => ({
      role: 'user',
      content: { type: 'text', text: words(id + at, bytes / 5) },
    })),
  }
}

function outputOf(id: number): Json {
  return { id, rows: [0, 1, 2, 3].map(at => ({ at, city: 'Oslo', note: words(id + at, 190), open: true })) }
}

function words(seed: number, length: number): string {
  return 'where is my order now '.repeat(Math.ceil(length / 20)).slice(seed % 7, (seed % 7) + length)
}

async function frozen(path: string, count: number, bytes: number): Promise<Timing> {
  const prepared = prepareReplay(path, here)
  const tool = traceTool('lookup', async (_input: Input): Promise<Json> => null)
  const watch = createStopwatch(count)
  await prepared.run.toEnd(async () => {
    for (let id = 0; id < count; id++) {
      await tool(inputOf(id, bytes))
      watch.called()
    }
  })
  prepared.payloads.close()
  const wrong = prepared.facts.filter(fact => fact.kind === 'made' && fact.verdict !== 'matched').length
  if (wrong > 0) throw new Error(`${wrong} of ${count} calls did not match`)
  return watch.timing()
}

/** Microseconds a call. Medians of blocks, as a busy machine makes a mean worthless; `cpu` is a mean, garbage collection included. */
interface Timing {
  readonly median: number
  readonly cpu: number
  readonly first: number
  readonly last: number
}

const BLOCK = 50

function createStopwatch(count: number) {
  const blocks: number[] = []
  const cpu = process.cpuUsage()
  let calls = 0
  let since = performance.now()
  return {
    called: (): void => {
      if (++calls % BLOCK > 0) return
      const now = performance.now()
      blocks.push(((now - since) * 1000) / BLOCK)
      since = now
    },
    timing: (): Timing => {
      const { user, system } = process.cpuUsage(cpu)
      const tenth = Math.ceil(blocks.length / 10)
      const [first, last] = [median(blocks.slice(0, tenth)), median(blocks.slice(-tenth))]
      return { median: median(blocks), cpu: (user + system) / count, first, last }
    },
  }
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** What nobody can do without: the live input made, compared with the record, a fresh output parsed. */
const FLOORS: { readonly [name: string]: (live: Json, text: string, parsed: Json) => boolean } = {
  'compare with a parsed record': (live, _text, parsed) => sameJson(parsed, live),
  'parse the record and compare': (live, text) => sameJson(JSON.parse(text) as Json, live),
  'stringify and hash': (live, text) => digest(JSON.stringify(live)) !== text,
}

function floors(count: number, bytes: number): string[] {
  const records = Array.from({ length: Math.min(count, 5000) }, (_, id) => inputOf(id, bytes))
  const texts = records.map(record => JSON.stringify(record))
  const outputs = records.map((_, id) => JSON.stringify(outputOf(id)))
  return Object.entries(FLOORS).map(([name, check]) => {
    const watch = createStopwatch(count)
    for (let id = 0; id < count; id++) {
      const at = id % records.length
      if (!check(inputOf(at, bytes), texts[at]!, records[at]!)) throw new Error('not equal')
      JSON.parse(outputs[at]!)
      watch.called()
    }
    return `${name} ${watch.timing().median.toFixed(1)}`
  })
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  process.stdout.write(
    `Node ${process.version}, microseconds a call: median (first tenth, last tenth; mean of cpu)\n`,
  )
  for (const bytes of [300, 2000]) {
    const rows: string[] = []
    for (const count of [1000, 10_000, 100_000]) {
      const path = join(folder, `${bytes}-${count}.sftrace`)
      const tool = traceTool('lookup', async (input: Input): Promise<Json> => outputOf(input.id))
      await recordHere(
        path,
        async () => {
          for (let id = 0; id < count; id++) await tool(inputOf(id, bytes))
        },
        here,
      )
      const rounds: Timing[] = []
      for (let round = 0; round < (count < 100_000 ? 5 : 2); round++)
        rounds.push(await frozen(path, count, bytes))
      const { median, first, last, cpu } = rounds.toSorted((a, b) => a.median - b.median)[
        Math.floor(rounds.length / 2)
      ]!
      rows.push(
        `${count}: ${median.toFixed(1)} (${first.toFixed(1)}, ${last.toFixed(1)}; cpu ${cpu.toFixed(1)})`,
      )
      rmSync(path, { recursive: true })
    }
    process.stdout.write(`${bytes} bytes in, 1 kB out   ${rows.join('   ')}\n`)
    process.stdout.write(`  floors: ${floors(20_000, bytes).join(', ')}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
