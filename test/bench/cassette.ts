/**
 * A call answered from a cassette of 100 and of 100,000 entries, beside the same call of the Python CassettePlayer
 * (grudge-cli 0.1.6): the same cassettes, taken in turn, microseconds a call. Both are asked from the last entry backwards,
 * as the first is the best case for whoever looks through them all; Python does, so at 100,000 it is asked a few times only.
 *
 *   STEPFORK_PYTHON=/path/to/python node --import tsx test/bench/cassette.ts
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cassette } from '../../src/cassette/cassette.ts'
import { CassettePlayer } from '../../src/cassette/cassette-player.ts'
import { parseCassette } from '../../src/cassette/read-cassette.ts'

const KINDS = ['exact', 'subset', 'any'] as const
const COUNTS = [100, 100_000]
const ROUNDS = 3

type Kind = (typeof KINDS)[number]

interface Timing {
  /** Medians of the first and of the last tenth of the calls. */
  readonly first: number
  readonly last: number
}

/** About 0.27 kB of arguments and of answer, as a usual tool call has. */
function cassetteText(kind: Kind, count: number): string {
  const world = Array.from({ length: count }, (_, id) => ({
    tool: 'lookup',
    match: { kind, args: kind === 'any' ? {} : argsOf(id) },
    response: {
      id,
      rows: [1, 2, 3].map(at => ({ at, city: 'Oslo', note: 'where is my order now '.repeat(3) })),
    },
  }))
  return JSON.stringify({ task: 'bench', world })
}

function argsOf(id: number): object {
  return { id, order: `A-${id}`, note: 'where is my order now '.repeat(8), urgent: id % 2 === 0, price: 12.5 }
}

function playHere(cassette: Cassette, count: number): Timing {
  const player = new CassettePlayer(cassette)
  const times: number[] = []
  for (let id = count - 1; id >= 0; id--) {
    const args = argsOf(id)
    const start = performance.now()
    player.call('lookup', args)
    times.push((performance.now() - start) * 1000)
  }
  return timingOf(times)
}

/** Prints the time of each of the first `calls` calls, in µs. */
const PYTHON = `
import json, sys, time
from grudge.replay.cassette_player import CassettePlayer
from grudge.schema.cassette import Cassette
path, count, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
player = CassettePlayer(Cassette.model_validate_json(open(path, encoding="utf-8").read()))
def args_of(i):
    return {"id": i, "order": f"A-{i}", "note": "where is my order now " * 8, "urgent": i % 2 == 0, "price": 12.5}
times = []
for i in range(calls):
    args = args_of(count - 1 - i)
    start = time.perf_counter()
    player.call("lookup", args)
    times.append((time.perf_counter() - start) * 1e6)
json.dump(times, sys.stdout)
`

function playInPython(python: string, path: string, count: number): Timing {
  const { status, stdout, stderr } = spawnSync(
    python,
    ['-c', PYTHON, path, String(count), String(count > 1000 ? 20 : count)],
    {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  )
  if (status !== 0) throw new Error(stderr)
  return timingOf(JSON.parse(stdout) as number[])
}

function timingOf(times: readonly number[]): Timing {
  const tenth = Math.max(1, Math.ceil(times.length / 10))
  return { first: median(times.slice(0, tenth)), last: median(times.slice(-tenth)) }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function middleOf(timings: readonly Timing[]): string {
  const by = (part: keyof Timing): string => median(timings.map(timing => timing[part])).toFixed(1)
  return `${by('first')} / ${by('last')}`
}

const python = process.env.STEPFORK_PYTHON
const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  process.stdout.write(`Node ${process.version}; µs a call: first tenth / last tenth\n`)
  if (python === undefined) process.stdout.write('Python is not asked: STEPFORK_PYTHON names none\n')
  for (const kind of KINDS)
    for (const count of COUNTS) {
      const text = cassetteText(kind, count)
      const path = join(folder, 'cassette.json')
      writeFileSync(path, text)
      const cassette = parseCassette(text)
      const here: Timing[] = []
      const there: Timing[] = []
      for (let round = 0; round < ROUNDS; round++) {
        here.push(playHere(cassette, count))
        if (python !== undefined) there.push(playInPython(python, path, count))
      }
      const other =
        python === undefined ? '' : `   Python ${middleOf(there)}${count > 1000 ? ' (20 calls)' : ''}`
      process.stdout.write(`${kind.padEnd(6)} ${String(count).padStart(6)}   ${middleOf(here)}${other}\n`)
    }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
