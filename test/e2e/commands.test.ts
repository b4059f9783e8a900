/** `stepfork record -- node agent.js` and its replay: a command that is started as it is. */
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { type CliOptions, causesOf, replayJson, runCli } from './run-cli.ts'
import { type Files, linkStepfork, workspace } from './workspace.ts'

const AGENT = `
import { setOutput, traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }) => n + 1)
async function main() {
  const first = await step({ n: process.argv[2]?.length ?? 0 })
  console.log('first', first)
  setOutput({ last: await step({ n: first }) })
}
main()
`

function project(files: Files): string {
  const folder = workspace(files)
  linkStepfork(folder)
  const tsx = resolve(import.meta.dirname, '../../node_modules/tsx')
  symlinkSync(tsx, join(folder, 'node_modules/tsx'))
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync(join(tsx, 'dist/cli.mjs'), join(folder, 'node_modules/.bin/tsx'))
  return folder
}

function record(folder: string, command: readonly string[], options: CliOptions = {}) {
  return runCli(['record', '-o', 'run.sftrace', '--', ...command], { cwd: folder, ...options })
}

function replay(folder: string, command: readonly string[], flags: readonly string[] = [], options = {}) {
  return replayJson(['run.sftrace', ...flags, '--', ...command], { cwd: folder, ...options })
}

describe('a command', () => {
  for (const command of [
    'node agent.mjs hello',
    'npx tsx agent.ts hello',
    'node_modules/.bin/tsx agent.ts hello',
    'node --import tsx agent.ts hello',
    'sh -c "node agent.mjs hello"',
  ]) {
    it(`${command} is recorded and replayed green, its call sites those of the source`, async () => {
      const folder = project({ 'agent.mjs': AGENT, 'agent.ts': AGENT.replace('({ n })', '({ n }: any)') })
      const words = command.match(/"[^"]*"|\S+/g)!.map(word => word.replaceAll('"', ''))
      expect(await record(folder, words)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^first 6\n✓ run.sftrace {2}recorded (agent|sh): 2 calls, completed/),
      })
      expect(readFileSync(join(folder, 'run.sftrace/x-origin.jsonl'), 'utf8')).toMatch(
        /"agent\.(ts|mjs):5:23 main"/,
      )
      const { code, run, stderr } = await replay(folder, words)
      expect([code, run.totals.matched, run.output.equal, run.agent]).toEqual([
        0,
        2,
        true,
        { command: words },
      ])
      expect(stderr).toContain('first 6')
    })
  }

  it('compiled before has positions of the source that its source map names', async () => {
    const folder = project({ 'src/agent.ts': AGENT.replace('({ n })', '({ n }: any)') })
    const outfile = join(folder, 'dist/agent.mjs')
    buildSync({
      entryPoints: [join(folder, 'src/agent.ts')],
      outfile,
      format: 'esm',
      sourcemap: true,
      minify: true,
    })
    await record(folder, ['node', 'dist/agent.mjs', 'hello'])
    expect(readFileSync(join(folder, 'run.sftrace/x-origin.jsonl'), 'utf8')).toContain('"src/agent.ts:5:23')
  })

  it('keeps its input and output while it is recorded, and in a replay leaves standard output to the report', async () => {
    const folder = project({
      'agent.mjs': AGENT.replace('process.argv[2]?', "(await import('node:fs')).readFileSync(0)"),
    })
    const recorded = await record(folder, ['node', 'agent.mjs'], { stdin: 'from outside' })
    expect(recorded.stdout).toMatch(/^first 13\n/)
    const { code, stderr } = await replay(folder, ['node', 'agent.mjs'], [], { stdin: 'from outside' })
    expect([code, stderr]).toEqual([0, 'first 13\n'])
  })

  it('that knows nothing of stepfork is replayed when its server is gone', async () => {
    const server = createServer((_, response) => response.end('{"temperature":24}'))
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const source = `
const ask = async city => (await (await fetch(process.env.WEATHER_URL + '/' + city)).json()).temperature
console.log(await ask('Lisbon'), await ask(new Date().toISOString().slice(0, 13)))
`
    const folder = workspace({ 'agent.mjs': source })
    const env = { WEATHER_URL: `http://127.0.0.1:${port}` }
    const recorded = await record(folder, ['node', 'agent.mjs'], { env })
    expect([recorded.code, recorded.stdout]).toEqual([0, expect.stringContaining('2 calls, completed')])
    await new Promise(done => server.close(done))
    const { code, run, stderr } = await replay(folder, ['node', 'agent.mjs'])
    expect([code, run.totals.matched, stderr]).toEqual([0, 2, '24 24\n'])
  })

  it('asked something else is red where its calls differ, and the report names the recorded command', async () => {
    const folder = project({ 'agent.mjs': AGENT })
    await record(folder, ['node', 'agent.mjs', 'hello'])
    const { code, run } = await replay(folder, ['node', 'agent.mjs', 'hi'])
    expect([code, causesOf(run)]).toEqual([1, ['changed-input 1 /n']])
    expect(run.notes).toContainEqual({
      code: 'command-differs',
      message: 'another command was recorded: node agent.mjs hello',
    })
    const { stdout } = await runCli(['replay', 'run.sftrace', '--', 'node', 'agent.mjs', 'hi'], {
      cwd: folder,
    })
    expect(stdout).toContain('npx stepfork record --again run.sftrace -- node agent.mjs hi')
  })

  it('started by another launcher is green, which the report says', async () => {
    const folder = project({ 'agent.mjs': AGENT })
    await record(folder, ['node', 'agent.mjs', 'hello'])
    const { code, run } = await replay(folder, ['node', '--no-warnings', 'agent.mjs', 'hello'])
    expect([code, run.notes.map(note => note.code)]).toEqual([0, ['command-differs']])
  })

  it('replayed by an agent file, which is given the command as its input, is named in the report', async () => {
    const folder = project({
      'agent.mjs': AGENT,
      'other.mjs': 'export const run = input => input.argv.length',
    })
    await record(folder, ['node', 'agent.mjs', 'hello'])
    const { stdout } = await runCli(['replay', 'run.sftrace', '--agent', 'other.mjs'], { cwd: folder })
    expect(stdout).toContain('another command was recorded: node agent.mjs hello')
  })

  it('keeps the NODE_OPTIONS of its user', async () => {
    const source = AGENT.replace(
      'process.argv[2]?.length ?? 0',
      "Number(process.execArgv.length) + Number(process.env.NODE_OPTIONS.includes('--no-deprecation'))",
    )
    const folder = project({ 'agent.mjs': source })
    await record(folder, ['node', 'agent.mjs'], { env: { NODE_OPTIONS: '--no-deprecation' } })
    const { run } = await replay(folder, ['node', 'agent.mjs'], [], {
      env: { NODE_OPTIONS: '--no-deprecation' },
    })
    expect(run.totals.matched).toBe(2)
    expect(readFileSync(join(folder, 'run.sftrace/events.jsonl'), 'utf8')).toContain('"n":1')
  })

  it('keeps no secret of its arguments', async () => {
    const folder = project({ 'agent.mjs': AGENT })
    const secret = 'sk-proj-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGH'
    await record(folder, ['node', 'agent.mjs', secret])
    for (const file of ['events.jsonl', 'x-origin.jsonl'])
      expect(readFileSync(join(folder, 'run.sftrace', file), 'utf8')).not.toContain(secret)
    const { run } = await replay(folder, ['node', 'agent.mjs', secret])
    expect(run.notes).toEqual([])
  })

  it('that is not there, or ends before it makes a call, is an error: exit 2, nothing written', async () => {
    const folder = project({ 'agent.mjs': AGENT })
    const none = await record(folder, ['no-such-program'])
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('cannot start no-such-program')])
    const early = await record(folder, ['node', 'no-such-file.mjs'])
    expect([early.code, early.stderr]).toEqual([
      2,
      expect.stringContaining('exit code 1 before it made a call'),
    ])
    expect(existsSync(join(folder, 'run.sftrace'))).toBe(false)
    expect(existsSync(join(folder, 'run.sftrace.part'))).toBe(false)
  })

  it('that makes no call is said to have made none', async () => {
    const folder = project({ 'agent.mjs': '' })
    const { code, stdout } = await record(folder, ['node', 'agent.mjs'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('No call was seen.')])
  })

  for (const option of ['--input', '--mode', '--loader'] as const) {
    it(`does not take ${option}, and says what does instead`, async () => {
      const value = { '--input': 'x', '--mode': 'manual', '--loader': 'tsx' }[option]
      const { code, stderr } = await runCli([
        'replay',
        'run.sftrace',
        option,
        value,
        '--',
        'node',
        'agent.mjs',
      ])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${option}${option === '--mode' ? ' manual' : ''} is for an agent file`),
      ])
    })
  }
})

const ENDS = `
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }) => n + 1)
await step({ n: 1 })
/* end */
`

describe('the end of a command', () => {
  for (const [what, how, name] of [
    ['exits with code 3', 'process.exit(3)', 'AgentExit'],
    ['sets process.exitCode', 'process.exitCode = 4', 'AgentExit'],
    ['throws', "throw new RangeError('out of rope')", 'RangeError'],
    ['throws from a timer', "setTimeout(() => { throw new RangeError('out of rope') }, 5)", 'RangeError'],
    ['leaves a rejection unhandled', "Promise.reject(new RangeError('out of rope'))", 'RangeError'],
    ['waits for what never comes', 'await new Promise(() => {})', 'AgentStalled'],
  ] as const) {
    it(`that ${what} is recorded as ${name}, and replayed as reproduced`, async () => {
      const folder = project({ 'agent.mjs': ENDS.replace('/* end */', how) })
      const { code, stdout } = await record(folder, ['node', 'agent.mjs'])
      expect([code, stdout]).toEqual([0, expect.stringContaining(`the run failed with ${name}`)])
      const replayed = await replay(folder, ['node', 'agent.mjs'])
      expect([replayed.code, replayed.run.verdict]).toEqual([0, 'reproduced'])
    })
  }

  it('that fails in another way than recorded is red', async () => {
    const folder = project({
      'agent.mjs': ENDS.replace('/* end */', 'process.exit(Number(process.env.CODE))'),
    })
    await record(folder, ['node', 'agent.mjs'], { env: { CODE: '3' } })
    const { code, run } = await replay(folder, ['node', 'agent.mjs'], [], { env: { CODE: '4' } })
    expect([code, causesOf(run)]).toEqual([1, ['failure-differs']])
  })

  it('of an agent that handles its own rejections is none', async () => {
    const handled = "process.on('unhandledRejection', () => {}); Promise.reject(new Error('never mind'))"
    const folder = project({ 'agent.mjs': ENDS.replace('/* end */', handled) })
    const { stdout } = await record(folder, ['node', 'agent.mjs'])
    expect(stdout).toContain('1 call, completed')
    expect((await replay(folder, ['node', 'agent.mjs'])).code).toBe(0)
  })

  it('is not brought about by a refused call that nobody looks at', async () => {
    const folder = project({
      'agent.mjs': ENDS.replace(
        '/* end */',
        'if (process.env.MORE) step({ n: 5 })\nsetTimeout(() => {}, 50)',
      ),
    })
    await record(folder, ['node', 'agent.mjs'])
    const { code, run } = await replay(folder, ['node', 'agent.mjs'], [], { env: { MORE: '1' } })
    expect([code, causesOf(run)]).toEqual([1, ['extra']])
  })

  it('comes at --timeout, at --max-calls and at --stop-at-first', async () => {
    const folder = project({
      'agent.mjs': ENDS.replace(
        '/* end */',
        'if (process.env.HANG) setInterval(() => {}, 1000)\nif (process.env.MORE) for (;;) await step({ n: 2 }).catch(() => {})',
      ),
    })
    await record(folder, ['node', 'agent.mjs'])
    const hung = await replay(folder, ['node', 'agent.mjs'], ['--timeout', '1s'], { env: { HANG: '1' } })
    expect([hung.code, causesOf(hung.run)]).toEqual([1, ['agent-timeout']])
    const many = await replay(folder, ['node', 'agent.mjs'], ['--max-calls', '5'], { env: { MORE: '1' } })
    expect([many.code, causesOf(many.run)]).toEqual([1, expect.arrayContaining(['too-many-calls'])])
    const first = await replay(folder, ['node', 'agent.mjs'], ['--stop-at-first'], { env: { MORE: '1' } })
    expect([first.code, first.run.totals.extra]).toEqual([1, 1])
  })

  it('is brought about by Ctrl-C, what was recorded until then is kept: exit 130', async () => {
    const folder = project({
      'agent.mjs': ENDS.replace('/* end */', "console.log('waiting'); setInterval(() => {}, 1000)"),
    })
    const { code } = await record(folder, ['npx', 'tsx', 'agent.mjs'], { onStart: signalOnce('SIGINT') })
    expect(code).toBe(130)
    const { stdout } = await runCli(['inspect', 'run.sftrace'], { cwd: folder })
    expect(stdout).toContain('step {"n": 1}')
  })

  it('comes with that of stepfork itself, even where it is killed', async () => {
    const folder = project({
      'agent.mjs': ENDS.replace('/* end */', "console.log('waiting'); setInterval(() => {}, 1000)"),
    })
    // What is left behind fails every run here.
    await record(folder, ['npx', 'tsx', 'agent.mjs'], { onStart: signalOnce('SIGKILL') })
    const recovered = await runCli(['record', '--recover', 'run.sftrace.part'], { cwd: folder })
    expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringContaining('1 call, cut off')])
  })
})

describe('the processes of a command', () => {
  it('are one: a second that makes a call is refused, and both are named, exit 2', async () => {
    const folder = project({ 'a.mjs': AGENT, 'b.mjs': AGENT })
    const { code, stderr } = await record(folder, ['sh', '-c', 'node a.mjs; node b.mjs'])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /first node a\.mjs \(pid \d+\), then node b\.mjs \(pid \d+\) \(AGENT_MULTI_PROCESS\)/,
    )
  })

  it('are refused once, so that one that tries again for ever is silent, and ended', async () => {
    const stubborn = `
import { traceTool } from 'stepfork'
const step = traceTool('step', async () => 1)
setInterval(async () => step().catch(() => {}), 20)
process.on('unhandledRejection', () => {})
`
    const folder = project({ 'a.mjs': AGENT, 'b.mjs': stubborn })
    const command = ['sh', '-c', 'node a.mjs; node b.mjs']
    const { code, stderr } = await runCli(
      ['record', '--timeout', '2s', '-o', 'run.sftrace', '--', ...command],
      { cwd: folder },
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('AGENT_MULTI_PROCESS')])
  })

  it('may be many that make no call', async () => {
    const folder = project({ 'agent.mjs': AGENT, 'other.mjs': "console.log('only helping')" })
    const command = ['sh', '-c', 'node other.mjs && node agent.mjs hello && node other.mjs']
    expect((await record(folder, command)).stdout).toContain('2 calls, completed')
    expect((await replay(folder, command)).code).toBe(0)
  })

  it('but for servers on standard input and output, which are programs of their own', async () => {
    const server = `${ENDS}process.stdin.once('data', () => { process.stdout.write('served'); process.exit() })`
    const client = `
import { spawn } from 'node:child_process'
import { setOutput, traceTool } from 'stepfork'
const ask = traceTool('ask', () => new Promise(done => {
  const server = spawn('node', ['server.mjs'], { stdio: ['pipe', 'pipe', 'inherit'] })
  server.stdout.once('data', data => done(String(data)))
  server.stdin.write('go')
}))
setOutput(await ask())
`
    const folder = project({ 'server.mjs': server, 'client.mjs': client })
    const { stdout } = await record(folder, ['node', 'client.mjs'])
    expect(stdout).toContain('recorded client: 1 call, completed')
    const { code, run } = await replay(folder, ['node', 'client.mjs'])
    expect([code, run.totals.matched]).toEqual([0, 1])
  })

  it('have no network in a replay, also before the first call', async () => {
    const connect =
      "await new Promise(done => (await import('node:net')).connect(9, '127.0.0.1').on('error', done))"
    const folder = project({
      'agent.mjs': `const net = await import('node:net')\nif (process.env.OUT) ${connect.replace("(await import('node:net'))", 'net')}\n${AGENT.replace('import {', 'const {').replace("} from 'stepfork'", "} = await import('stepfork')")}`,
    })
    await record(folder, ['node', 'agent.mjs', 'hello'])
    const { code, run } = await replay(folder, ['node', 'agent.mjs', 'hello'], [], { env: { OUT: '1' } })
    expect([code, causesOf(run)]).toEqual([1, ['blocked']])
    expect(run.divergences[0]!.message).toContain('127.0.0.1:9')
  })
})

function signalOnce(signal: NodeJS.Signals): (child: ChildProcess) => void {
  return child => {
    child.stdout?.once('data', () => child.kill(signal))
  }
}
