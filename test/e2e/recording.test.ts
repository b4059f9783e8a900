/** What `record` says when it is done, and where it does not begin. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { workspace } from './workspace.ts'

const HERE = '/* here */'
const AGENT = `
import { spawn } from 'node:child_process'
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => n)
export async function run() {
  await step({ n: 1 })
  ${HERE}
  return step({ n: 2 })
}
export const unused = [spawn]
`

describe('record', () => {
  it('ends with the calls seen and the command that replays them, which works as it stands', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    const { code, stdout } = await runCli(['record', '--agent', 'agent.ts#run'], { cwd: folder })
    expect([code, stdout]).toEqual([0, expect.stringContaining('recorded agent: 2 calls, completed')])
    expect(stdout).toContain('2x  tool   step')
    const command = /npx stepfork (replay .*)/.exec(stdout)![1]!
    expect((await runCli(command.split(' '), { cwd: folder })).code).toBe(0)
  })

  it('counts up the bundles of an agent: traces/agent-1, traces/agent-2', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    for (let i = 0; i < 2; i++) await runCli(['record', '--agent', 'agent.ts'], { cwd: folder })
    expect(readdirSync(join(folder, 'traces')).sort()).toEqual(['agent-1.sftrace', 'agent-2.sftrace'])
  })

  it('does not run the agent when the bundle is there already, exit 2; --overwrite replaces it', async () => {
    const folder = workspace({ 'agent.ts': AGENT.replace(HERE, "console.log('it ran')") })
    const args = ['record', '--agent', 'agent.ts', '-o', 'run.sftrace']
    expect((await runCli(args, { cwd: folder })).code).toBe(0)
    const again = await runCli(args, { cwd: folder })
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('BUNDLE_EXISTS')])
    expect(again.stderr).not.toContain('it ran')
    expect((await runCli([...args, '--overwrite'], { cwd: folder })).code).toBe(0)
  })

  it('of an agent that throws keeps the failed run, exit 0', async () => {
    const { code, stdout } = await recordWith("throw new RangeError('out of rope')")
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 call, failed')])
    expect(stdout).toContain('the run failed with RangeError: out of rope')
  })

  for (const [what, how, says] of [
    ['ends its own process', 'process.exit(3)', 'with code 3 before the run was over'],
    ['is killed', "process.kill(process.pid, 'SIGKILL')", 'by SIGKILL'],
    ['is silent for too long', 'for (;;);', 'at its time-out'],
  ] as const) {
    it(`of an agent that ${what} keeps what was recorded and says that it is incomplete, exit 1`, async () => {
      const { code, stdout, folder } = await recordWith(how)
      expect([code, stdout]).toEqual([1, expect.stringContaining('recorded agent: 1 call, cut off')])
      expect(stdout).toContain(`the recording is incomplete: the agent's process ended ${says}`)
      expect((await runCli(['validate', 'run.sftrace'], { cwd: folder })).code).toBe(0)
      expect(existsSync(join(folder, 'run.sftrace.part'))).toBe(false)
    })
  }

  it('of an agent that waits for ever is failed at once', async () => {
    const { code, stdout } = await recordWith('await new Promise(() => {})')
    expect([code, stdout]).toEqual([0, expect.stringContaining('AgentStalled')])
  })

  it('leaves no child process of the agent behind, and says that it did not look into it', async () => {
    const { code, stdout } = await recordWith("spawn('sleep', ['60'], { stdio: 'ignore' })")
    expect(code).toBe(0)
    expect(stdout).toContain('not recorded: calls and connections in the child process sleep')
  })

  it('without an agent says what to type, exit 2', async () => {
    const { code, stderr } = await runCli(['record'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--agent ./agent.ts')])
  })
})

async function recordWith(how: string) {
  const folder = workspace({ 'agent.ts': AGENT.replace(HERE, how) })
  const args = ['record', '--agent', 'agent.ts', '-o', 'run.sftrace', '--timeout', '1s']
  return { ...(await runCli(args, { cwd: folder })), folder }
}
