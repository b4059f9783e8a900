/**
 * The driver measured: a frozen call beside its floors, calls in other shapes, and what it costs to find out that a run is
 * idle. Built as the package is built, then run by each Node that is given.
 *
 *   node --import tsx test/bench/driver.ts [frozen-call|driver-shapes|idle-releases …] [--node /path/to/node …]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const ALL = ['frozen-call', 'driver-shapes', 'idle-releases']

const named = process.argv.slice(2).filter(arg => ALL.includes(arg))
const nodes = process.argv.flatMap((arg, at) => (process.argv[at - 1] === '--node' ? [arg] : []))
const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
try {
  for (const scenario of named.length > 0 ? named : ALL) {
    const outfile = join(folder, `${scenario}.mjs`)
    await build({
      entryPoints: [join(import.meta.dirname, `${scenario}.ts`)],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      define: { __STEPFORK_VERSION__: '"bench"' },
      logLevel: 'warning',
    })
    for (const node of nodes.length > 0 ? nodes : [process.execPath]) {
      const { status } = spawnSync(node, ['--expose-gc', outfile], { stdio: 'inherit' })
      if (status !== 0) process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
