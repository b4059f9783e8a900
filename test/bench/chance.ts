/**
 * What a reading of the clock and a random number cost while they are kept and while they are given again, as ratios to the
 * plain ones: the first thousand of an interval, which have their place in the code looked up, those behind, and those that no
 * run watches any more. Then looking for drawn ids in what is sent.
 *
 *   node --import tsx test/bench/chance.ts
 */
import { randomUUID } from 'node:crypto'
import { createChanceKeeper } from '../../src/sandbox/chance-keeper.ts'
import { createChanceServer } from '../../src/sandbox/chance-server.ts'
import { patchClock } from '../../src/sandbox/clock.ts'
import { createMarkFinder } from '../../src/sandbox/find-marks.ts'
import { createLabels } from '../../src/sandbox/labels.ts'
import { type Chance, patchRandom } from '../../src/sandbox/random.ts'
import type { Served } from '../../src/trace/determinism.ts'

/** Milliseconds of this process: on a busy machine the clock on the wall tells of others. */
function clock(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const SHAPES = {
  'Date.now()': () => Date.now(),
  'Math.random()': () => Math.random(),
  'randomUUID()': () => randomUUID(),
}
const PARTS = { 'the first 1,000': 1000, '1,001 to 10,000': 9000, 'then 100,000': 100_000 }

type Install = { readonly read: Parameters<typeof patchClock>[0]; readonly chance: Chance }

/** Nanoseconds each, for every shape and part; the median of rounds, as a busy machine makes a mean worthless. */
function measured(install: (() => Install) | null): number[][] {
  const rounds = Array.from({ length: 9 }, () => {
    const installed = install?.()
    const undo = installed === undefined ? [] : [patchClock(installed.read), patchRandom(installed.chance)]
    const times = Object.values(SHAPES).map(draw => Object.values(PARTS).map(count => timed(draw, count)))
    for (const restore of undo) restore()
    return times
  })
  return Object.keys(SHAPES).map((_, shape) =>
    Object.keys(PARTS).map((_, part) => median(rounds.map(round => round[shape]![part]!))),
  )
}

function timed(draw: () => unknown, count: number): number {
  const since = clock()
  for (let i = 0; i < count; i++) draw()
  return ((clock() - since) * 1e6) / count
}

function keeper(): Install {
  return createChanceKeeper(labels(), null)
}

function server(): Install {
  const site = 'draw'
  const served: Served = {
    seed: null,
    read: [{ read: 'wall', interval: 0, site, values: Array.from({ length: 1000 }, (_, i) => i) }],
    drew: [{ drew: 'Math.random', interval: 0, site, values: Array.from({ length: 1000 }, () => 0.5) }],
    bytes: [],
  }
  return createChanceServer(served, labels())
}

function labels() {
  return createLabels({ interval: () => 0, isInsideCall: () => false })
}

/** Milliseconds to look through the input of a call in which one of so many drawn ids stands. */
function searched(draws: number, characters: number): number {
  const times = Array.from({ length: 9 }, () => {
    const finder = createMarkFinder()
    for (let i = 0; i < draws; i++)
      finder.drew('randomUUID', { interval: 0, site: 'run' })(bytesOf(randomUUID()))
    const text = Array.from(
      { length: characters / 40 },
      (_, i) => `Where is my order A-${i}, please? 2026-12-01 `,
    ).join('')
    const since = clock()
    finder.marks(1, { messages: [{ role: 'user', content: text }] })
    return clock() - since
  })
  return median(times)
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

const plain = measured(null)
const kept = measured(keeper)
const given = measured(server)
print(`Node ${process.version}, nanoseconds each: plain, kept, given again (as ratios to plain)`)
for (const [shape, name] of Object.keys(SHAPES).entries()) {
  for (const [part, which] of Object.keys(PARTS).entries()) {
    const [floor, recording, replay] = [plain, kept, given].map(times => times[shape]![part]!)
    const ratios = [recording!, replay!].map(
      time => `${time.toFixed(0).padStart(7)} (${(time / floor!).toFixed(1)}x)`,
    )
    print(`${name.padEnd(14)} ${which.padEnd(16)} ${floor!.toFixed(0).padStart(5)} ${ratios.join(' ')}`)
  }
}
print('milliseconds to look for drawn ids in an input, by draws')
for (const size of [2000, 200_000]) {
  const times = [0, 10, 10_000].map(draws => `${draws}: ${searched(draws, size).toFixed(2)}`)
  print(`${String(size).padStart(7)} characters   ${times.join('   ')}`)
}
