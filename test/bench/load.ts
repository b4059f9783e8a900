/**
 * Loading and validating a bundle against the physical floor: reading the file, JSON.parse for each line and SHA-256 of
 * the bytes. Whole processes in rotation, ratios as the median of pairs, so that a busy machine does not matter much.
 *
 *   node --import tsx test/bench/load.ts [events, 100000] [rounds, 5]
 *
 * With STEPFORK_PYTHON=/path/to/python, one that has the Python package, its validation runs as well.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { generateBundle } from './generate-bundle.ts'

interface Contestant {
  readonly name: string
  readonly command: readonly string[]
}

interface Measure {
  readonly ms: number
  readonly peakMb: number
}

const SRC = resolve(import.meta.dirname, '../../src')

const SCRIPTS: Readonly<Record<string, string>> = {
  'floor: read + JSON.parse + sha256': `
    import { openSync, readSync } from 'node:fs'
    import { createHash } from 'node:crypto'
    const fd = openSync(process.argv[2] + '/events.jsonl', 'r'), sha = createHash('sha256')
    const buffer = Buffer.allocUnsafe(4 << 20)
    let held = 0, lines = 0
    for (;;) {
      const read = readSync(fd, buffer, held, 1 << 20, null)
      if (read === 0) break
      sha.update(buffer.subarray(held, held + read))
      const end = held + read
      let start = 0
      for (let at = buffer.indexOf(10); at !== -1 && at < end; at = buffer.indexOf(10, start)) {
        JSON.parse(buffer.toString('utf8', start, at)); lines++; start = at + 1
      }
      buffer.copyWithin(0, start, end); held = end - start
    }
    sha.digest('hex')`,
  readBundle: `
    import { readBundle } from '${SRC}/store/read-bundle.ts'
    const bundle = readBundle(process.argv[2])
    if (bundle.integrity !== 'verified') throw new Error(bundle.integrity)`,
  validate: `
    import { validateBundle } from '${SRC}/validate.ts'
    if (!validateBundle(process.argv[2]).valid) throw new Error('not valid')`,
  'validate --verify-integrity': `
    import { validateBundle } from '${SRC}/validate.ts'
    if (!validateBundle(process.argv[2], { verifyIntegrity: true }).valid) throw new Error('not valid')`,
}

const PEAK = `\nprocess.stdout.write(String(process.resourceUsage().maxRSS / 1024))`

const PYTHON = `
import resource, sys
from stepfork.trace.validation import validate_bundle
assert validate_bundle(sys.argv[1], verify_integrity=True).valid
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)`

async function main(): Promise<void> {
  const [events, rounds] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? 5)]
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
  try {
    const bundle = join(folder, 'run.sftrace')
    generateBundle(bundle, events)
    const size = statSync(join(bundle, 'events.jsonl')).size / 1e6
    process.stdout.write(
      `${events} events, ${size.toFixed(0)} MB, Node ${process.version}, ${rounds} rounds\n`,
    )
    report(measure(await contestants(folder), bundle, rounds))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function contestants(folder: string): Promise<Contestant[]> {
  const names = Object.keys(SCRIPTS)
  for (const [at, name] of names.entries()) {
    const stdin = { contents: SCRIPTS[name] + PEAK, resolveDir: SRC, loader: 'ts' } as const
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile: join(folder, `${at}.mjs`) })
  }
  const own = names.map((name, at) => ({ name, command: [process.execPath, join(folder, `${at}.mjs`)] }))
  const python = process.env.STEPFORK_PYTHON
  if (python === undefined) return own
  writeFileSync(join(folder, 'validate.py'), PYTHON)
  return [
    ...own,
    { name: 'Python validate --verify-integrity', command: [python, join(folder, 'validate.py')] },
  ]
}

function measure(
  all: readonly Contestant[],
  bundle: string,
  rounds: number,
): ReadonlyMap<string, readonly Measure[]> {
  const measures = new Map(all.map(({ name }) => [name, [] as Measure[]]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, command } of all) measures.get(name)!.push(run(command, bundle))
  }
  return measures
}

function run([file, ...args]: readonly string[], bundle: string): Measure {
  const start = performance.now()
  const child = spawnSync(file!, [...args, bundle], { encoding: 'utf8' })
  const ms = performance.now() - start
  if (child.status !== 0) throw new Error(child.stderr)
  return { ms, peakMb: Number(child.stdout) }
}

function report(measures: ReadonlyMap<string, readonly Measure[]>): void {
  const [floor] = measures.values()
  for (const [name, list] of measures) {
    const ratio = median(list.map((measure, round) => measure.ms / floor![round]!.ms))
    const ms = median(list.map(measure => measure.ms)).toFixed(0)
    const peak = median(list.map(measure => measure.peakMb)).toFixed(0)
    process.stdout.write(
      `${name.padEnd(36)} ${ms.padStart(7)} ms  x ${ratio.toFixed(2).padStart(5)}  ${peak.padStart(5)} MB\n`,
    )
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

await main()
