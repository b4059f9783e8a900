/**
 * What the guards cost an agent's process at its start: the same empty program with and without them, whole processes in
 * rotation, the difference as the median of pairs.
 *
 *   node --import tsx test/bench/guards.ts [rounds, 21]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const SRC = resolve(import.meta.dirname, '../../src')

const PROGRAMS = {
  none: '',
  network: `
    import { closeNetwork } from '${SRC}/sandbox/network-guard.ts'
    closeNetwork({ allow: [], usesWebSockets: false, onBlocked: () => {} })`,
  timers: `
    import { watchTimers } from '${SRC}/run/timer-watch.ts'
    watchTimers()`,
  chance: `
    import { watchClockAndChance } from '${SRC}/run/clock-and-chance.ts'
    watchClockAndChance({ plan: { mode: 'record' }, isKept: true, isSeeded: false })`,
}

async function main(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
  const files = await Promise.all(Object.entries(PROGRAMS).map(([name, code]) => bundle(folder, name, code)))
  const times = files.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [at, file] of files.entries()) times[at]!.push(wallOf(file))
  }
  rmSync(folder, { recursive: true, force: true })
  print(`node ${process.version}, ${rounds} rounds: median ms, and what it costs over the empty program`)
  for (const [at, name] of Object.keys(PROGRAMS).entries()) {
    const cost = median(times[at]!.map((time, round) => time - times[0]![round]!))
    print(`${name.padEnd(10)} ${median(times[at]!).toFixed(1).padStart(7)}   +${cost.toFixed(1)} ms`)
  }
}

async function bundle(folder: string, name: string, contents: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`)
  const stdin = { contents, resolveDir: SRC }
  await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' })
  return outfile
}

function wallOf(file: string): number {
  const start = performance.now()
  spawnSync(process.execPath, [file])
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await main(Number(process.argv[2] ?? 21))
