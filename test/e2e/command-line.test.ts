/** The command line itself: several bundles, mistakes in typing, help. */
import { describe, expect, it } from 'vitest'
import { parseDocument, runCli } from './run-cli.ts'
import { changedAgent, fixtureAgent, fixtureBundle, workspace } from './workspace.ts'

describe('several bundles', () => {
  it('are reported in the order in which they were named; the worst exit code counts', async () => {
    const folder = workspace()
    const agent = changedAgent(folder, 'openai_two_turns', ['temperature: 0', 'temperature: 1'])
    const bundles = ['openai_two_turns', 'no_such', 'openai_key_order'].map(fixtureBundle)
    const result = await runCli(['replay', ...bundles, '--agent', agent, '--json'])
    const { exitCode, verdict, runs } = parseDocument(result)
    expect([result.code, exitCode, verdict]).toEqual([2, 2, 'error'])
    expect(runs.map(run => [run.bundle.path, run.verdict])).toEqual([
      [bundles[0], 'diverged'],
      [bundles[1], 'error'],
      [bundles[2], 'diverged'],
    ])
  })

  it('end with one line that counts them', async () => {
    const bundles = ['openai_two_turns', 'openai_two_turns'].map(fixtureBundle)
    const { code, stdout } = await runCli(['replay', ...bundles, '--agent', fixtureAgent('openai_two_turns')])
    expect(code).toBe(0)
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('2 recordings: 2 matched')
  })
})

describe('--json is one document, whatever happens:', () => {
  const agent = ['--agent', fixtureAgent('single_tool')]
  const cases: readonly [string, readonly string[], string][] = [
    ['an unknown option', ['replay', fixtureBundle('single_tool'), ...agent, '--jsn'], 'USAGE'],
    ['no agent', ['replay', fixtureBundle('single_tool')], 'USAGE'],
    ['no bundle', ['replay', ...agent], 'USAGE'],
    ['a time that is none', ['replay', fixtureBundle('single_tool'), ...agent, '--timeout', 'soon'], 'USAGE'],
    ['an unknown mode', ['replay', fixtureBundle('single_tool'), ...agent, '--mode', 'icy'], 'USAGE'],
    ['an unknown reporter', ['replay', fixtureBundle('single_tool'), ...agent, '--reporter', 'tap'], 'USAGE'],
    ['a bundle that is not there', ['replay', 'no.sftrace', ...agent], 'BUNDLE_NOT_FOUND'],
    [
      'an agent that is not there',
      ['replay', fixtureBundle('single_tool'), '--agent', 'no.ts'],
      'AGENT_NOT_FOUND',
    ],
    ['an unknown command', ['repaly', 'x.sftrace'], 'USAGE'],
  ]
  for (const [what, args, code] of cases) {
    it(`${what} is ${code}, exit 2`, async () => {
      const result = await runCli([...args, '--json'], { cwd: workspace() })
      const document = parseDocument(result)
      expect([result.code, document.exitCode, document.verdict]).toEqual([2, 2, 'error'])
      expect((document.error ?? document.runs[0]?.error)?.code).toBe(code)
    })
  }
})

describe('a mistyped', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['command is answered with the right one', ['repaly'], 'Did you mean replay?'],
    ['option is answered with the right one', ['replay', 'x', '--agnet', 'a.ts'], 'Did you mean --agent?'],
    [
      'command without -- before it is answered with where it stands',
      ['record', '-o', 'x.sftrace', 'node', 'agent.js'],
      'npx stepfork record -- node agent.js',
    ],
    [
      'mode is answered with the modes',
      ['replay', 'x', '--mode', 'icy'],
      'Allowed choices are frozen, hybrid, ',
    ],
  ]
  for (const [what, args, says] of cases) {
    it(`${what}, exit 2`, async () => {
      const { code, stderr } = await runCli(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
    })
  }
})

describe('no command', () => {
  it('shows the help, exit 0', async () => {
    const { code, stdout } = await runCli([])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: stepfork')
  })

  for (const command of ['replay', 'record', 'inspect', 'validate']) {
    it(`${command} --help fits one screen, has an example and ends with the exit codes`, async () => {
      const { code, stdout } = await runCli([command, '--help'])
      expect(code).toBe(0)
      expect(stdout).toContain('Example: stepfork')
      expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
      expect(stdout.trimEnd()).toMatch(/130 interrupted\.$/)
      expect(Math.max(...stdout.split('\n').map(line => line.length))).toBeLessThanOrEqual(88)
    })
  }
})
