/** What a call costs in agents of other shapes, at 10,000 and 100,000 calls, in memory, and beside its recording. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { traceTool } from '../../src/boundary/trace-tool.ts'
import { type PreparedReplay, prepareReplay, recordHere } from '../proof/run-here.ts'

const here = { ownsProcess: false, timers: null } as const

const ask = traceTool('ask', async (input: { i: number }) => input.i)
const add = traceTool('add', (input: { i: number }) => input.i)
const listen = traceTool('listen', async function* ({ count }: { count: number }) {
  for (let i = 0; i < count; i++) yield i
})

const SHAPES: { readonly [name: string]: (count: number) => Promise<void> } = {
  sequential: async count => {
    for (let i = 0; i < count; i++) await ask({ i })
  },
  concurrent: async count => {
    await Promise.all(Array.from({ length: count }, (_, i) => ask({ i })))
  },
  'pool of 8': async count => {
    let next = 0
    const work = async (): Promise<void> => {
      while (next < count) await ask({ i: next++ })
    }
    await Promise.all(Array.from({ length: 8 }, work))
  },
  'two stages': async count => {
    const stages = async (i: number): Promise<void> => {
      await ask({ i })
      await ask({ i: i + count })
    }
    await Promise.all(Array.from({ length: count / 2 }, (_, i) => stages(i)))
  },
  chunks: async count => {
    for await (const _chunk of listen({ count }));
  },
  synchronous: async count => {
    for (let i = 0; i < count; i++) add({ i })
  },
}

interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

async function measure(name: string, count: number, folder: string): Promise<string> {
  const path = join(folder, `${name}-${count}.sftrace`)
  const shape = SHAPES[name]!
  let recorded: Cost = { wallMs: 0, cpuMs: 0 }
  const timedRun = async (): Promise<void> => {
    recorded = await timed(() => shape(count))
  }
  await recordHere(path, timedRun, here)
  const { replayed, bytes } = await replayed3(path, () => shape(count))
  rmSync(path, { recursive: true })
  const perCall = ({ wallMs, cpuMs }: Cost): string =>
    `${((wallMs * 1000) / count).toFixed(1)} µs (cpu ${((cpuMs * 1000) / count).toFixed(1)})`
  return `${count}: ${perCall(replayed)}, ${(bytes / count / 1000).toFixed(1)} kB, recorded ${perCall(recorded)}`
}

/** The cheapest of three replays, and what plan, session and facts of one keep alive. */
async function replayed3(
  path: string,
  agent: () => Promise<void>,
): Promise<{ replayed: Cost; bytes: number }> {
  const costs: Cost[] = []
  const kept: PreparedReplay[] = []
  const before = await heapBytes()
  for (let round = 0; round < 3; round++) {
    kept.length = 0
    costs.push(await replayOnce(path, agent, kept))
  }
  const bytes = (await heapBytes()) - before
  kept.length = 0
  return { replayed: costs.toSorted((a, b) => a.cpuMs - b.cpuMs)[0]!, bytes }
}

async function replayOnce(path: string, agent: () => Promise<void>, kept: PreparedReplay[]): Promise<Cost> {
  const prepared = prepareReplay(path, here)
  let cost: Cost = { wallMs: 0, cpuMs: 0 }
  await prepared.run.toEnd(async () => {
    cost = await timed(agent)
  })
  prepared.payloads.close()
  const made = prepared.facts.filter(fact => fact.kind === 'made')
  if (made.some(fact => fact.verdict !== 'matched')) throw new Error('the replay is red')
  kept.push(prepared)
  return cost
}

async function timed(work: () => Promise<unknown>): Promise<Cost> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  return { wallMs: performance.now() - began, cpuMs: (user + system) / 1000 }
}

/** In a turn of its own: what a finished function still holds in its frame is gone by then. */
async function heapBytes(): Promise<number> {
  await new Promise(done => setTimeout(done, 10))
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  process.stdout.write(`Node ${process.version}, a call of 10 bytes in other shapes\n`)
  for (const name of Object.keys(SHAPES)) {
    await measure(name, 1000, folder)
    const rows = [await measure(name, 10_000, folder), await measure(name, 100_000, folder)]
    process.stdout.write(`  ${name.padEnd(12)} ${rows.join('   ')}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
