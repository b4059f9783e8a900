/** Ctrl-C, and the end of the pipe that reads us. */
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDocument, runCli } from './run-cli.ts'
import { recordedOnce, workspace } from './workspace.ts'

const HERE = '/* here */'
const recorded = recordedOnce(`
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => n)
export async function run() {
  await step({ n: 1 })
  ${HERE}
  return step({ n: 2 })
}
`)
const WAIT = "console.log('waiting'); setInterval(() => {}, 1000); await new Promise(() => {})"

describe('Ctrl-C', () => {
  it('ends the agent and reports what matched until then: exit 130', async () => {
    const { code, stdout } = await recorded.report([[HERE, WAIT]], [], {
      onStart: signalOnce('waiting', 'SIGINT'),
    })
    expect(code).toBe(130)
    expect(stdout).toContain('interrupted: 1 of 2 calls matched until then')
    expect(stdout).toContain('the process was ended, as you asked')
  })

  it('with --json is one document: exit code 130', async () => {
    const result = await recorded.replay([[HERE, WAIT]], [], { onStart: signalOnce('waiting', 'SIGINT') })
    expect([result.code, parseDocument(result).exitCode]).toEqual([130, 130])
    expect(result.run.totals.matched).toBe(1)
  })

  it('ends all bundles, those not yet begun, too', async () => {
    const bundles = Array.from({ length: 8 }, () => recorded.bundle)
    const started = Date.now()
    const { code, stdout } = await recorded.report([[HERE, WAIT]], bundles, {
      onStart: signalOnce('waiting', 'SIGINT'),
    })
    expect([code, stdout]).toEqual([130, expect.stringMatching(/ recordings: \d interrupted\n$/)])
    expect(Date.now() - started).toBeLessThan(20_000)
  })

  it('while recording keeps what was recorded until then', async () => {
    const folder = workspace({
      'agent.ts': `import { traceTool } from 'stepfork'\nconst step = traceTool('step', async () => 1)\nexport async function run() {\n  await step()\n  ${WAIT}\n}\n`,
    })
    const args = ['record', '--agent', 'agent.ts', '-o', 'run.sftrace']
    const { code } = await runCli(args, { cwd: folder, onStart: signalOnce('waiting', 'SIGINT') })
    expect(code).toBe(130)
    expect(existsSync(join(folder, 'run.sftrace', 'manifest.json'))).toBe(true)
    const { stdout } = await runCli(['inspect', 'run.sftrace'], { cwd: folder })
    expect(stdout).toContain('step')
  })
})

describe('a command that is killed', () => {
  it('takes its agent along, and what the agent started', async () => {
    const starting = `const { spawn } = await import('node:child_process'); spawn('sleep', ['60'], { stdio: 'ignore' }); ${WAIT}`
    const { stdout } = await recorded.report([[HERE, starting]], [], {
      onStart: signalOnce('waiting', 'SIGKILL'),
    })
    // What is left behind fails every run here.
    expect(stdout).toBe('')
  })

  it('while recording leaves a folder that is read as it is, and finished by record --recover', async () => {
    const folder = workspace({
      'agent.ts': `import { traceTool } from 'stepfork'\nconst step = traceTool('step', async () => 1)\nexport async function run() {\n  await step()\n  ${WAIT}\n}\n`,
    })
    const args = ['record', '--agent', 'agent.ts', '-o', 'run.sftrace']
    await runCli(args, { cwd: folder, onStart: signalOnce('waiting', 'SIGKILL') })
    const inspected = await runCli(['inspect', 'run.sftrace.part'], { cwd: folder })
    expect(inspected.stdout).toContain('step {}')
    const recovered = await runCli(['record', '--recover', 'run.sftrace.part'], { cwd: folder })
    expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringContaining('cut off')])
    const validated = await runCli(['validate', 'run.sftrace', '--verify-integrity'], { cwd: folder })
    expect(validated.code).toBe(0)
  })
})

describe('a reader that goes away', () => {
  it('(stepfork … | head -1) is no error', async () => {
    const { stderr } = await recorded.report(
      [[HERE, 'await step({ n: 9 }).catch(() => {})']],
      ['--verbose'],
      {
        onStart: child => void child.stdout?.once('data', () => child.stdout?.destroy()),
      },
    )
    expect(stderr).toBe('')
  })
})

function signalOnce(text: string, signal: NodeJS.Signals): (child: ChildProcess) => void {
  return child => {
    child.stderr?.on('data', function listen(chunk: Buffer) {
      if (!chunk.includes(text)) return
      child.stderr?.off('data', listen)
      child.kill(signal)
    })
  }
}
