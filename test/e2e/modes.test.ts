/** The modes of `replay`: what is answered, what runs for real, and what is refused. */
import { describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'
import { recordedOnce } from './workspace.ts'

const AGENT = `
import { llmRequest, traceTool } from 'stepfork'
const offset = 0
const add = traceTool('add', async ({ a, b }: { a: number; b: number }) => a + b + offset)
const pay = traceTool('pay', async ({ amount }: { amount: number }) => (console.error('PAID'), { paid: amount }))
export async function run() {
  const sum = await add({ a: 1, b: 2 })
  const model = { provider: 'acme', model: 'm1', input: { sum } }
  const text = await llmRequest(model, async () => (console.error('ASKED'), 'sum ' + sum))
  return { text, ...(await pay({ amount: 3 })) }
}
`
const recorded = recordedOnce(AGENT)

const OTHER_PROMPT: readonly (readonly [string, string])[] = [['input: { sum }', 'input: { sum, now: true }']]

describe('mode live', () => {
  const all = ['--mode', 'live', '--allow-live-tool', 'add', '--allow-live-tool', 'pay']

  it('runs models and named tools for real, and counts them', async () => {
    const { run, stderr } = await recorded.replay([], all)
    expect(run).toMatchObject({ mode: 'live', verdict: 'matched', liveCalls: 3 })
    expect(stderr).toContain('ASKED')
    expect(stderr).toContain('PAID')
  })

  it('refuses a tool that is not named, and does not run it', async () => {
    const { run, stderr } = await recorded.replay([], ['--mode', 'live', '--allow-live-tool', 'add'])
    expect(run.divergences[0]).toMatchObject({ kind: 'refused', label: 'pay' })
    expect(stderr).not.toContain('PAID')
  })

  it('refuses a model that is asked otherwise than recorded, and does not ask it', async () => {
    const { run, stderr } = await recorded.replay(OTHER_PROMPT, all)
    expect(run.divergences[0]).toMatchObject({ kind: 'changed-input', label: 'acme/m1' })
    expect(stderr).not.toContain('ASKED')
  })
})

describe('mode hybrid', () => {
  it('runs what is named with any input, and nothing else', async () => {
    const { run, stderr } = await recorded.replay(OTHER_PROMPT, ['--live', 'acme/m1', '--no-compare-output'])
    expect(run).toMatchObject({ mode: 'hybrid', liveCalls: 1 })
    expect(stderr).toContain('ASKED')
    expect(stderr).not.toContain('PAID')
  })
})

describe('--save', () => {
  it('is refused before anything runs for real when the run could not be kept', async () => {
    const { code, run, stderr } = await recorded.replay([], ['--live', 'pay', '--save', recorded.bundle])
    expect([code, run.error]).toEqual([
      2,
      expect.objectContaining({ code: 'BUNDLE_EXISTS', hint: expect.stringContaining('--overwrite') }),
    ])
    expect(stderr).not.toContain('PAID')
  })

  it('keeps the run of one recording, not of several', async () => {
    const args = ['replay', recorded.bundle, recorded.bundle, '--agent', 'agent.ts', '--save', 'out.sftrace']
    const { code, stderr } = await runCli(args)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--save keeps the run of one recording, and 2 are named'),
    ])
  })
})

describe('mode derived', () => {
  it('runs the bodies of the tools and finds that they give the recorded results', async () => {
    const { run, stderr } = await recorded.replay([], ['--mode', 'derived'])
    expect(run).toMatchObject({ verdict: 'matched', liveCalls: 0 })
    expect(run.calls.map(call => call.answer)).toEqual(['derived', 'recorded', 'derived'])
    expect(stderr).not.toContain('ASKED')
  })

  it('names the tool whose result is another, with both results', async () => {
    const { run } = await recorded.replay([['offset = 0', 'offset = 1']], ['--mode', 'derived'])
    expect(run.divergences[0]).toMatchObject({
      kind: 'derived-differs',
      call: 1,
      recorded: 3,
      actual: 4,
      root: true,
    })
    expect(run.divergences[1]).toMatchObject({ kind: 'changed-input', call: 2, root: false })
  })

  it('keeps the network closed', async () => {
    const { run } = await recorded.replay(
      [['=> a + b', "=> (await fetch('http://192.0.2.1/').catch(() => {}), a + b)"]],
      ['--mode', 'derived'],
    )
    expect(run.divergences.map(found => found.kind)).toContain('blocked')
  })
})

describe('contradictions are refused with a sentence, exit 2', () => {
  it.each([
    [['--allow-live-tool', 'pay'], '--allow-live-tool is for --mode live'],
    [['--mode', 'derived', '--live', 'pay'], '--live and --mode derived exclude each other'],
    [['--mode', 'forbidden', '--live', 'pay'], '--live and --mode forbidden exclude each other'],
    [['--mode', 'hybrid'], 'mode hybrid needs to know what runs for real'],
    [['--mode', 'frosen'], 'Allowed choices are frozen, hybrid, live, derived, manual, forbidden'],
  ])('%j', async (flags, sentence) => {
    const { code, stderr } = await runCli(['replay', 'x.sftrace', '--agent', 'a.ts', ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })
})
