/** A recording is worth what was paid for it: whatever kills its processes, every finished call is there. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLI, NODE, runCli } from './run-cli.ts'
import { linkStepfork, recordIn, workspace } from './workspace.ts'

/** Notes each call that has come back to it in a file of its own. */
const BUSY = `
import { appendFileSync } from 'node:fs'
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => ({ n, text: 'x'.repeat(500) }))
export async function run() {
  for (let n = 0; ; n++) {
    await step({ n })
    appendFileSync('done.txt', 'x')
    if (n % 20 === 0) await new Promise(done => setTimeout(done, 1))
  }
}
`

describe('a recording whose processes are killed', () => {
  for (const afterMs of [350, 420, 510, 640, 800]) {
    it(`after ${afterMs} ms is read as it is, and finished, with every call that came back`, async () => {
      const folder = workspace({ 'agent.ts': BUSY })
      await runCli(['record', '--agent', 'agent.ts', '-o', 'run.sftrace'], {
        cwd: folder,
        onStart: child => void setTimeout(() => child.kill('SIGKILL'), afterMs),
      })
      if (!existsSync(join(folder, 'done.txt'))) return
      const partial = await runCli(['validate', 'run.sftrace.part', '--partial'], { cwd: folder })
      expect([partial.code, partial.stderr]).toEqual([0, ''])
      const recovered = await runCli(['record', '--recover', 'run.sftrace.part'], { cwd: folder })
      expect(recovered.code).toBe(0)
      const results = readFileSync(join(folder, 'run.sftrace/events.jsonl'), 'utf8').match(/"tool_result"/g)
      expect(results?.length).toBeGreaterThanOrEqual(statSync(join(folder, 'done.txt')).size)
      expect(
        (await runCli(['validate', 'run.sftrace', '--partial', '--verify-integrity'], { cwd: folder })).code,
      ).toBe(0)
    })
  }

  it('as it runs out of memory is finished, incomplete: exit 1', async () => {
    const greedy = `${BUSY.replace(/: \{ n: number \}/, '').replace('for (let n = 0; ; n++) {', 'const kept = []\n  for (let n = 0; ; n++) {\n    kept.push(Array.from({ length: 20_000 }, () => ({})))')}run()\n`
    const folder = workspace({ 'agent.mjs': greedy })
    linkStepfork(folder)
    const command = ['node', '--max-old-space-size=40', 'agent.mjs']
    const { code, stdout } = await runCli(['record', '-o', 'run.sftrace', '--', ...command], { cwd: folder })
    expect([code, stdout]).toEqual([1, expect.stringMatching(/recorded agent: \d+ calls?, cut off/)])
    const results = readFileSync(join(folder, 'run.sftrace/events.jsonl'), 'utf8').match(/"tool_result"/g)
    expect(results?.length).toBeGreaterThanOrEqual(statSync(join(folder, 'done.txt')).size)
  })

  it('is not thrown away by the next recording of that name', async () => {
    const folder = workspace({ 'agent.ts': BUSY })
    const args = ['record', '--agent', 'agent.ts', '-o', 'run.sftrace']
    await runCli(args, { cwd: folder, onStart: killOnce(folder) })
    writeFileSync(join(folder, 'agent.ts'), 'export const run = () => 1')
    const again = await runCli(args, { cwd: folder })
    expect([again.code, again.stderr]).toEqual([
      2,
      expect.stringContaining('npx stepfork record --recover run.sftrace.part'),
    ])
    expect((await runCli([...args, '--overwrite'], { cwd: folder })).code).toBe(0)
  })
})

const STEPS = `
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => ({ n, text: 'x'.repeat(1000) }))
export async function run() {
  let sum = 0
  for (let n = 1; n <= 40; n++) sum += (await step({ n })).n
  return { sum }
}
`

describe.skipIf(process.platform === 'win32')('a disk that is full', () => {
  /** No file may grow beyond so many blocks of 512 bytes. */
  function limited(folder: string, blocks: number, args: readonly string[]) {
    const { stdout, stderr, status } = spawnSync(
      'sh',
      ['-c', `ulimit -f ${blocks}; exec "$@"`, 'sh', NODE, CLI, ...args],
      { cwd: folder, encoding: 'utf8' },
    )
    return { stdout, stderr, code: status }
  }

  it('while the agent runs: it goes on, its output is printed, what was recorded until then is kept, exit 2', () => {
    const folder = workspace({ 'agent.ts': STEPS })
    const { code, stderr } = limited(folder, 32, ['record', '--agent', 'agent.ts', '-o', 'run.sftrace'])
    expect(stderr).toMatch(/stepfork: cannot write .*journal\.jsonl: EFBIG/)
    expect(stderr).toContain('stepfork: the agent\'s output was {"sum":820}')
    expect(stderr).toMatch(/the recording stopped before the run did.* \(WRITE_FAILED\)/)
    expect(stderr).toContain('npx stepfork record --recover run.sftrace.part')
    expect(code).toBe(2)
    const recovered = limited(folder, 10_000, ['record', '--recover', 'run.sftrace.part'])
    expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringMatching(/\d calls, cut off/)])
  })

  it('when the bundle is written: nothing half is left, the journal is kept, exit 2', () => {
    const source = STEPS.replace('n <= 40', 'n <= 12').replace(
      "'x'.repeat(1000)",
      'String.fromCharCode(1).repeat(200)',
    )
    const folder = workspace({ 'agent.ts': source })
    const recorded = limited(folder, 10_000, ['record', '--agent', 'agent.ts', '-o', 'big.sftrace'])
    expect(recorded.code).toBe(0)
    const journal = limited(folder, 10_000, [
      'record',
      '--agent',
      'agent.ts',
      '-o',
      'big.sftrace',
      '--overwrite',
    ])
    expect(journal.code).toBe(0)
    const blocks = Math.floor(statSync(join(folder, 'big.sftrace/events.jsonl')).size / 512)
    const { code, stderr } = limited(folder, blocks, ['record', '--agent', 'agent.ts', '-o', 'run.sftrace'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('(WRITE_FAILED)')])
    expect(stderr).toContain('npx stepfork record --recover run.sftrace.part')
    expect(readdirSync(folder).sort()).toEqual(['agent.ts', 'big.sftrace', 'run.sftrace.part'])
    expect(limited(folder, 10_000, ['record', '--recover', 'run.sftrace.part']).stdout).toContain(
      '12 calls, completed',
    )
  })

  it('under a replay is an error of its own, and no verdict on the agent', async () => {
    const folder = workspace({ 'agent.ts': STEPS })
    await recordIn(folder)
    writeFileSync(join(folder, 'agent.ts'), STEPS.replace('step({ n })', 'step({ n: -n })'))
    const { code, stdout } = limited(folder, 16, ['replay', 'run.sftrace', '--agent', 'agent.ts'])
    expect([code, stdout]).toEqual([2, expect.stringContaining('WRITE_FAILED')])
  })
})

describe('the files of a recording', () => {
  it('are for their owner only, also while it is going on', async () => {
    const folder = workspace({
      'agent.ts': STEPS.replace(
        'return { sum }',
        "const { readdirSync, statSync } = await import('node:fs'); return ['run.sftrace.part', ...readdirSync('run.sftrace.part').map(name => 'run.sftrace.part/' + name)].map(path => path + ' ' + (statSync(path).mode & 0o777).toString(8))",
      ),
    })
    await recordIn(folder)
    expect(readFileSync(join(folder, 'run.sftrace/events.jsonl'), 'utf8')).toContain(
      '"output":["run.sftrace.part 700","run.sftrace.part/journal.jsonl 600","run.sftrace.part/recording.json 600"]',
    )
    const bundle = join(folder, 'run.sftrace')
    expect(statSync(bundle).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(bundle))
      expect([name, statSync(join(bundle, name)).mode & 0o777]).toEqual([name, 0o600])
  })
})

/** As soon as calls have come back to the agent. */
function killOnce(folder: string): (child: ChildProcess) => void {
  return child => {
    const timer = setInterval(() => {
      if (existsSync(join(folder, 'done.txt'))) child.kill('SIGKILL')
    }, 20)
    child.once('exit', () => clearInterval(timer))
  }
}
