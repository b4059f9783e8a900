/** Runs the benchmarks: all of them, or those that are named (`npm run bench -- startup load`). Each prints ratios of one run. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const ALL = ['startup', 'guards', 'load', 'driver', 'http-call', 'recording', 'cassette', 'turn', 'chance']

const named = process.argv.slice(2)
const unknown = named.filter(name => !ALL.includes(name))
if (unknown.length > 0) {
  print(`no benchmark is named ${unknown.join(', ')}; there are ${ALL.join(', ')}`)
  process.exitCode = 2
} else {
  for (const name of named.length > 0 ? named : ALL) {
    print(`\n== ${name}`)
    const { status } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, `${name}.ts`)],
      { stdio: 'inherit' },
    )
    if (status !== 0) process.exitCode = 1
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
