/** The options of `replay` and `record`, as a user meets them. */
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import {
  changedAgent,
  fixtureAgent,
  fixtureBundle,
  linkStepfork,
  recordIn,
  recordThenChange,
  workspace,
} from './workspace.ts'

const ECHO = `
import { traceTool } from 'stepfork'
const note = traceTool('note', async (request: object) => 'noted')
export async function run(input: unknown) {
  await note({ input, argv: process.argv.slice(2) })
  return { input }
}
`

const THREE = `
import { traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => n)
export async function run() {
  const first = await step({ n: 1 })
  const second = await step({ n: 2 })
  const third = await step({ n: 3 })
  return [first, second, third]
}
`

describe('--input', () => {
  const forms: readonly [string, string, string, unknown][] = [
    ['JSON is read as JSON', '{"city":"Lisbon"}', '', { city: 'Lisbon' }],
    ['other text is the text', 'Where is order A-17?', '', 'Where is order A-17?'],
    ['@file is its content', '@question.json', '', { question: 7 }],
    ['- is standard input', '-', '[1, 2.50]', [1, 2.5]],
  ]
  for (const [what, value, stdin, expected] of forms) {
    it(what, async () => {
      const folder = workspace({ 'agent.ts': ECHO, 'question.json': '{"question":7}' })
      await recordIn(folder, ['--input', value], { cwd: folder, stdin })
      const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
      expect(run.verdict).toBe('matched')
      const other = await replayJson(['run.sftrace', '--agent', 'agent.ts', '--input', '"other"'], {
        cwd: folder,
      })
      expect(other.run.divergences[0]?.differences[0]).toMatchObject({ actual: 'other', recorded: expected })
    })
  }

  it('of a file that is not there is refused, exit 2', async () => {
    const folder = workspace({ 'agent.ts': ECHO })
    const { code, stderr } = await runCli(['record', '--agent', 'agent.ts', '--input', '@no.json'], {
      cwd: folder,
    })
    expect([code, stderr]).toEqual([2, expect.stringMatching(/--input.*no\.json/)])
  })
})

describe('what follows --', () => {
  it("is the agent's process.argv, in record and in replay", async () => {
    const folder = workspace({ 'agent.ts': ECHO })
    await recordIn(folder, ['--', '--city', 'Lisbon'])
    const args = ['run.sftrace', '--agent', 'agent.ts']
    const same = await replayJson([...args, '--', '--city', 'Lisbon'], { cwd: folder })
    expect(same.run.verdict).toBe('matched')
    const other = await replayJson([...args, '--', '--city', 'Porto'], { cwd: folder })
    expect(causesOf(other.run)).toEqual(['changed-input 1 /argv/1'])
  })
})

describe('--order', () => {
  const swapped: readonly [string, string][] = [
    ['const first = await step({ n: 1 })', 'const second = await step({ n: 2 })'],
    [
      'const second = await step({ n: 2 })\n  const third',
      'const first = await step({ n: 1 })\n  const third',
    ],
  ]

  it('causal says which call was made out of place', async () => {
    const folder = await recordThenChange(THREE, swapped)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([1, ['reordered 1']])
    expect(run.output.equal).toBe(true)
  })

  it('any lets calls come in any order', async () => {
    const folder = await recordThenChange(THREE, swapped)
    const args = ['run.sftrace', '--agent', 'agent.ts', '--order', 'any']
    const { code, run } = await replayJson(args, { cwd: folder })
    expect([code, causesOf(run)]).toEqual([0, []])
  })

  it('sequence refuses another order', async () => {
    const folder = await recordThenChange(THREE, swapped)
    const args = ['run.sftrace', '--agent', 'agent.ts', '--order', 'sequence']
    const { code, run } = await replayJson(args, { cwd: folder })
    expect(code).toBe(1)
    expect(causesOf(run)[0]).toMatch(/^(?:reordered|changed-input) 1/)
  })
})

describe('--stop-at-first', () => {
  it('ends there and says how many recorded calls were not reached', async () => {
    const folder = await recordThenChange(THREE, [['step({ n: 1 })', 'step({ n: 9 })']])
    const args = ['replay', 'run.sftrace', '--agent', 'agent.ts', '--stop-at-first']
    const { code, stdout } = await runCli(args, { cwd: folder })
    expect(code).toBe(1)
    expect(stdout).toContain('call 1 of 3, step: /n is 9, recorded 1')
    expect(stdout).toContain('the run was stopped at its first divergence; recorded calls not reached: 2')
  })
})

describe('--max-calls', () => {
  it('ends an agent that goes round in a circle', async () => {
    const folder = await recordThenChange(THREE, [
      ['const third', 'for (;;) await step({ n: 7 }).catch(() => {})\n  const third'],
    ])
    const args = ['run.sftrace', '--agent', 'agent.ts', '--max-calls', '20']
    const { code, run } = await replayJson(args, { cwd: folder })
    expect(code).toBe(1)
    expect(run.divergences.find(found => found.kind === 'too-many-calls')).toMatchObject({ root: false })
    expect(Math.max(...run.divergences.map(found => found.occurrences))).toBeGreaterThan(10)
  })

  it('is twice the recorded calls and a hundred when not given', async () => {
    const folder = await recordThenChange(THREE, [
      ['const third', 'for (;;) await step({ n: 7 }).catch(() => {})\n  const third'],
    ])
    const { run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect(run.divergences.map(found => found.message)).toContain(
      'the agent made more than 106 calls; 3 are recorded',
    )
  })
})

describe('--no-compare-output', () => {
  it('lets the agent return something else', async () => {
    const folder = await recordThenChange(THREE, [['return [first, second, third]', "return 'other'"]])
    const args = ['run.sftrace', '--agent', 'agent.ts']
    expect((await replayJson(args, { cwd: folder })).code).toBe(1)
    const { code, run } = await replayJson([...args, '--no-compare-output'], { cwd: folder })
    expect([code, run.output.compared]).toEqual([0, false])
  })
})

describe('--loader tsx', () => {
  it('loads source files whose names are computed', async () => {
    const folder = workspace({
      'agent.ts': THREE.replace(
        'export async',
        "const { one } = await import(['.', 'prompt.ts'].join('/'))\nexport async",
      ).replace('{ n: 1 }', '{ n: one as number }'),
      'prompt.ts': 'export const one: number = 1\n',
      'package.json': '{ "type": "module" }\n',
    })
    linkStepfork(folder)
    const { stdout } = await recordIn(folder, ['--loader', 'tsx'])
    expect(stdout).not.toContain('worker thread')
    expect(stdout).toContain('replay run.sftrace --agent agent.ts --loader tsx\n')
    const args = ['run.sftrace', '--agent', 'agent.ts', '--loader', 'tsx']
    const { code, run } = await replayJson(args, { cwd: folder })
    expect([code, run.totals.matched]).toEqual([0, 3])
  })
})

describe('--mode forbidden', () => {
  it('refuses every call', async () => {
    const args = [fixtureBundle('single_tool'), '--agent', fixtureAgent('single_tool'), '--mode', 'forbidden']
    const { code, run } = await replayJson(args)
    expect([code, causesOf(run)]).toEqual([1, ['refused 1']])
    expect(run.totals).toMatchObject({ matched: 0, refused: 1 })
  })
})

describe('--live', () => {
  it('runs only the named tool for real; all others are answered from the recording', async () => {
    const folder = workspace()
    const agent = changedAgent(folder, 'model_two_tools', ['hold_id: `H-', 'hold_id: `L-'])
    const { code, run } = await replayJson([
      fixtureBundle('model_two_tools'),
      '--agent',
      agent,
      '--live',
      'hold_seat',
    ])
    expect([code, causesOf(run)]).toEqual([1, ['output-differs /hold']])
    expect(run.calls.map(call => call.answer)).toEqual(['recorded', 'recorded', 'executed'])
    expect([run.mode, run.liveCalls]).toEqual(['hybrid', 1])
  })

  it('runs a model named as provider/model, with a changed prompt', async () => {
    const folder = workspace()
    const agent = changedAgent(folder, 'model_two_tools', ['Which airports?', 'Which two airports?'])
    const args = [fixtureBundle('model_two_tools'), '--agent', agent, '--live', 'acme/planner-1']
    const { run } = await replayJson(args)
    expect(run.calls.map(call => call.answer)).toEqual(['executed', 'recorded', 'recorded'])
    expect(run.output.equal).toBe(true)
    expect(run.notes.map(note => note.code)).toEqual(['executed-other-input'])
  })

  it('of a name that is neither recorded nor called is told in a note', async () => {
    const agent = fixtureAgent('model_two_tools')
    const args = [fixtureBundle('model_two_tools'), '--agent', agent, '--live', 'hold_seats']
    const { code, run } = await replayJson(args)
    expect([code, run.liveCalls]).toEqual([0, 0])
    expect(run.notes.map(note => note.message)).toEqual([
      'asked to run for real, but neither recorded nor called: hold_seats',
    ])
  })
})

describe('--memory', () => {
  it('ends a run whose heap grows beyond it, and says so', async () => {
    const hog = 'for (const all: unknown[] = []; ; ) all.push(new Array(1e5).fill(first))'
    const folder = await recordThenChange(THREE, [['return [first', `${hog}\n  return [first`]])
    const { code, stdout } = await runCli(
      ['replay', 'run.sftrace', '--agent', 'agent.ts', '--memory', '40mb'],
      { cwd: folder },
    )
    expect(code).toBe(1)
    expect(stdout).toContain("the agent's process ended by SIGABRT")
    expect(stdout).toContain('raise --memory')
  })

  it('is a size', async () => {
    const { code, stderr } = await runCli(['replay', 'x.sftrace', '--agent', 'a.ts', '--memory', 'much'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--memory much is not a size')])
  })
})

describe('--env-file', () => {
  it('sets variables of the agent, where the environment has none', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
const note = traceTool('note', async (request: object) => request)
export const run = () => note({ sky: process.env.SKY ?? null, home: process.env.HOME ?? null })
`,
      'agent.env': 'SKY=blue\nHOME=/nowhere\n',
    })
    await recordIn(folder, ['--env-file', 'agent.env'])
    const { stdout } = await runCli(['inspect', 'run.sftrace'], { cwd: folder })
    expect(stdout).toContain('"sky": "blue"')
    expect(stdout).not.toContain('/nowhere')
  })
})
