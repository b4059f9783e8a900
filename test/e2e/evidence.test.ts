/** `--evidence`: how much a report says of calls that matched. */
import { describe, expect, it } from 'vitest'
import { replayJson, runCli } from './run-cli.ts'
import { recordIn, workspace } from './workspace.ts'

const DESK = `
import { traceTool } from 'stepfork'
const SECRET = ['hunter', 2].join('')
const key = traceTool('key', async ({ password, n }: { password: string; n: number }) => ({ n: n + 1 }))
const lines = traceTool('lines', async function* ({ n }: { n: number }) {
  for (let line = 1; line <= n; line++) yield line
})
export async function run() {
  const { n } = await key({ password: SECRET, n: 1 })
  let sum = 0
  for await (const line of lines({ n })) sum += line
  return sum
}
`

const replayDesk = async (...args: readonly string[]) => {
  const folder = workspace({ 'agent.ts': DESK })
  await recordIn(folder)
  return replayJson(['run.sftrace', '--agent', 'agent.ts', ...args], { cwd: folder })
}

describe('--evidence', () => {
  it('all gives both sides of every call and the line that made it, secrets replaced', async () => {
    const { run, stdout } = await replayDesk('--evidence', 'all')
    expect(run.verdict).toBe('matched')
    const side = { error: null, parent: null, at: expect.any(Number), endedAt: expect.any(Number) }
    const key = { ...side, input: { password: '[REDACTED]', n: 1 }, output: { n: 2 } }
    const lines = { ...side, input: { n: 2 }, output: { yielded: [1, 2], returned: null } }
    expect(run.calls).toMatchObject([
      { label: 'key', recorded: key, actual: key, source: { file: 'agent.ts', line: 9, function: 'run' } },
      { label: 'lines', recorded: lines, actual: lines, source: { file: 'agent.ts' } },
    ])
    expect(stdout).not.toContain('hunter2')
  })

  it('divergent, which is the default, says nothing more of calls that matched', async () => {
    for (const args of [[], ['--evidence', 'divergent']]) {
      const { run } = await replayDesk(...args)
      expect(run.calls.map(call => Object.keys(call))).toEqual(
        Array(2).fill([
          'number',
          'live',
          'kind',
          'label',
          'step',
          'verdict',
          'answer',
          'servedFrom',
          'source',
        ]),
      )
      expect(run.calls.map(call => call.source)).toEqual([null, null])
    }
  })

  it('of another level is a usage error', async () => {
    const { code, stderr } = await runCli(['replay', 'x', '--agent', 'a.ts', '--evidence', 'none'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('divergent, all')])
  })
})
