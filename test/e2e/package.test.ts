/** The package as npm packs it, taken apart into a project of its own: what somebody gets who installs it. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NODE } from './run-cli.ts'
import { writeFiles } from './workspace.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const project = mkdtempSync(join(tmpdir(), 'stepfork-package-'))
const installed = join(project, 'node_modules/stepfork')

beforeAll(() => {
  const output = npm('pack', '--json', '--ignore-scripts', '--pack-destination', project)
  const [packed] = JSON.parse(output) as readonly { readonly filename: string }[]
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(project, packed!.filename), '--strip-components', '1', '-C', installed])
  // What npm would install beside it, and what a TypeScript project has.
  for (const name of ['esbuild', '@esbuild', 'tsx', '@types', 'undici-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name))
  writeFiles(project, PROJECT)
  cpSync(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true })
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

describe('the package', () => {
  it('holds the command, what was built, and the texts; no sources, no tests', () => {
    const names = readdirSync(installed)
    const expected = ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json']
    expect(names.toSorted()).toEqual(expected)
    const inDist = filesIn(join(installed, 'dist')).filter(
      name => !/\.(js|cjs|d\.ts)$|^package\.json$/.test(name),
    )
    expect(inDist.filter(name => !/(^|\/)package\.json$/.test(name))).toEqual(['THIRD-PARTY-LICENSES.txt'])
  })

  it('names no folder of the machine that it was built on', () => {
    const naming = filesIn(installed).filter(name =>
      readFileSync(join(installed, name), 'utf8').includes(ROOT),
    )
    expect(naming).toEqual([])
  })

  it('brings the licence of everything that is bundled into it', () => {
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
    for (const name of ['commander', 'zod', 'chalk', 'tinyqueue'])
      expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
  })

  it('is imported by an ES module and required by a CommonJS one', () => {
    expect(node('esm.mjs')).toBe('3 off function function\n')
    expect(node('cjs.cjs')).toBe('3 off\n')
  })

  it.each(['node18', 'nodenext'])(
    'has types for both, checked with all its declarations, under %s',
    module => {
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      expect(run(process.execPath, tsc, '-p', '.', '--module', module)).toBe('')
    },
  )

  it('replays an example as installed', () => {
    const output = node(
      'node_modules/stepfork/bin/stepfork.js',
      'replay',
      'examples/refund-desk/refund.sftrace',
      '--agent',
      'examples/refund-desk/agent.ts',
    )
    expect(output).toBe('✓ examples/refund-desk/refund.sftrace  matched: 6 of 6 calls, output equal\n')
  })

  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(node('node_modules/stepfork/bin/stepfork.js', '--version')).toBe(`stepfork ${version}\n`)
  })
})

describe('--help', () => {
  const help = (...command: readonly string[]): string =>
    node('node_modules/stepfork/bin/stepfork.js', ...command, '--help')
  const commands = (): readonly string[] =>
    [...help().matchAll(/^ {2}([a-z]+) (?:\[options\] )?/gm)]
      .map(([, name]) => name!)
      .filter(name => name !== 'help')

  it('of every command fits one screen, shows an example and ends with the exit codes', () => {
    expect(commands()).toEqual(expect.arrayContaining(['replay', 'record', 'inspect', 'validate']))
    for (const command of commands()) {
      const lines = help(command).trimEnd().split('\n')
      expect(lines.length, command).toBeLessThanOrEqual(40)
      expect(Math.max(...lines.map(line => line.length)), command).toBeLessThanOrEqual(88)
      expect(lines.join('\n')).toMatch(
        new RegExp(`^Example: stepfork ${command} .*\\n\\nExit codes: 0 [^]*interrupted\\.$`, 'm'),
      )
    }
  })

  it('without a command lists the commands and ends with the exit codes', () => {
    expect(help()).toMatch(/interrupted\.\n$/)
    expect(node('node_modules/stepfork/bin/stepfork.js')).toBe(help())
  })
})

const PROJECT = {
  'package.json': '{ "name": "project", "type": "module" }',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: ['node'] },
    include: ['*.ts', '*.cts'],
  }),
  'esm.mjs': `import { stepforkMode, traceTool } from 'stepfork'
import { readBundle, recorded } from 'stepfork/testing'
console.log(traceTool('add', (a, b) => a + b)(1, 2), stepforkMode(), typeof readBundle, typeof recorded)`,
  'cjs.cjs': `const { stepforkMode, traceTool } = require('stepfork')
console.log(traceTool('add', (a, b) => a + b)(1, 2), stepforkMode())`,
  'esm.ts': `import { llmRequest, stepforkMode, traceTool } from 'stepfork'
import { readBundle } from 'stepfork/testing'
const add = traceTool('add', (a: number, b = 2) => a + b, { params: ['a', 'b'] })
export const sum: number = add(1)
// @ts-expect-error the type of a wrapped tool is that of the tool
export const wrong: string = add(1)
export const mode: 'off' | 'record' | 'replay' = stepforkMode()
export const reply: Promise<string> = llmRequest({ provider: 'openai', model: 'm', input: 1 }, async () => 'hi')
export const name: string = readBundle('run.sftrace').manifest.agent_name`,
  'cjs.cts': `import stepfork = require('stepfork')
const add = stepfork.traceTool('add', (a: number) => a + 1)
export const sum: number = add(1)`,
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

function npm(...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
}

function node(...args: readonly string[]): string {
  return run(NODE, ...args)
}

/** Both streams when it fails: a compiler tells its errors on one, a program on the other. */
function run(file: string, ...args: readonly string[]): string {
  try {
    return execFileSync(file, args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    return `${stdout}${stderr}`
  }
}
