/**
 * Start-up of the commands, whole processes in rotation, each as a ratio to a floor run beside it: `node -e 0`, an empty
 * module, and `node --import tsx agent.ts`, which is what a TypeScript agent costs without us.
 *
 *   node --import tsx test/bench/startup.ts [rounds, 15]
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const ROOT = resolve(import.meta.dirname, '../..')
const CLI = join(ROOT, 'bin/stepfork.js')
const BUNDLE = join(ROOT, 'examples/refund-desk/refund.sftrace')
const DOOR = pathToFileURL(join(ROOT, 'dist/index.js')).href
const TSX = pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href

interface Contestant {
  readonly name: string
  readonly args: readonly string[]
  readonly floor: string
}

/** A plain agent of two files, so that the floor does what a replay's agent does: load TypeScript and run. */
function writePlainAgent(folder: string): string {
  writeFileSync(join(folder, 'tool.ts'), 'export const shop = async (id: string) => ({ id, amount: 42.5 })\n')
  writeFileSync(join(folder, 'plain.ts'), "import { shop } from './tool.ts'\nawait shop('A-17')\n")
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  return join(folder, 'plain.ts')
}

function contestants(plain: string): Contestant[] {
  const replay = ['replay', BUNDLE, '--agent', join(ROOT, 'examples/refund-desk/agent.ts')]
  return [
    { name: 'node -e 0', args: ['-e', '0'], floor: 'node -e 0' },
    { name: 'an empty module', args: ['--input-type=module', '-e', '0'], floor: 'node -e 0' },
    {
      name: "import 'stepfork'",
      args: ['--input-type=module', '-e', `import ${JSON.stringify(DOOR)}`],
      floor: 'an empty module',
    },
    { name: 'stepfork --version', args: [CLI, '--version'], floor: 'node -e 0' },
    { name: 'stepfork inspect', args: [CLI, 'inspect', BUNDLE], floor: 'node -e 0' },
    { name: 'node --import tsx plain.ts', args: ['--import', TSX, plain], floor: 'node -e 0' },
    { name: 'stepfork replay', args: [CLI, ...replay], floor: 'node --import tsx plain.ts' },
  ]
}

function main(rounds: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'stepfork-bench-'))
  const all = contestants(writePlainAgent(folder))
  const times = new Map<string, number[]>(all.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, args } of all) times.get(name)!.push(wallOf(args))
  }
  rmSync(folder, { recursive: true, force: true })
  print(`node ${process.version}, ${rounds} rounds: median ms (min), ratio to its floor as median of pairs`)
  for (const { name, floor } of all) print(line(name, floor, times.get(name)!, times.get(floor)!))
}

function wallOf(args: readonly string[]): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')}: exit ${status}\n${stderr}`)
  return performance.now() - start
}

function line(name: string, floor: string, times: readonly number[], floors: readonly number[]): string {
  const ratio = median(times.map((time, round) => time / floors[round]!))
  const difference = median(times.map((time, round) => time - floors[round]!))
  const measured = `${median(times).toFixed(0)} (${Math.min(...times).toFixed(0)})`
  return `${name.padEnd(28)} ${measured.padStart(10)}   ${ratio.toFixed(2)} x ${floor}, +${difference.toFixed(0)} ms`
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

main(Number(process.argv[2] ?? 15))

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
