/** Mode manual, at a pseudo-terminal as a person has it. Python makes the terminal; where it is not there, nothing is shown. */
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CLI, NODE, type ReplayDocument, runCli } from './run-cli.ts'
import { changedText, recordedOnce, workspace } from './workspace.ts'
import { withoutDurations } from './written-page.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const TYPE_ANSWERS = resolve(import.meta.dirname, 'type-answers.py')

const hasTerminal = spawnSync('python3', ['-c', 'import pty']).status === 0
if (!hasTerminal) process.stderr.write('SKIPPED: no python3 with a pty module, so no terminal to ask on\n')

const AGENT = `
import { llmRequest, traceTool } from 'stepfork'
const inner = traceTool('inner', async ({ a }: { a: number }) => (console.error('INNER RAN'), a))
const add = traceTool('add', async ({ a, b }: { a: number; b: number }) => (console.error('ADD RAN'), (await inner({ a })) + b))
const twice = traceTool('twice', ({ n }: { n: number }) => (console.error('TWICE RAN'), 2 * n))
export async function run() {
  const sum = await add({ a: 1, b: 2 })
  const text = await llmRequest({ provider: 'acme', model: 'm1', input: { sum } }, async () => 'sum ' + sum)
  return { text, twice: twice({ n: 4 }) }
}
`
const recorded = recordedOnce(AGENT)

const STREAMS = `
import { llmRequest, traceTool } from 'stepfork'
const say = traceTool('say', async function* ({ n }: { n: number }) { yield 'a' + n; yield 'b' })
const slow = traceTool('slow', async ({ n }: { n: number }) => n)
const model = { provider: 'acme', model: 'm1', input: { stream: true } }
export async function run() {
  const parts: unknown[] = []
  for await (const part of say({ n: 1 })) parts.push(part)
  const both = await Promise.all([slow({ n: 1 }), slow({ n: 2 })])
  const reply = await llmRequest(model, async () => (async function* () { yield 1; yield 2 })())
  for await (const part of reply as AsyncIterable<number>) parts.push(part)
  return { parts, both }
}
`
const streams = recordedOnce(STREAMS)

describe.runIf(hasTerminal)('mode manual', () => {
  it('takes every recorded answer and runs nothing', async () => {
    const { run, shown } = await manual(['t', 't', 't'])
    expect(run).toMatchObject({ mode: 'manual', verdict: 'matched', exitCode: 0, liveCalls: 0 })
    expect(run.output.answersAreRecorded).toBe(true)
    expect(shown).toContain('? call 1 of 4  tool add')
    expect(shown).not.toContain('RAN')
  })

  it('runs a call, asks about the calls in its body, and counts both', async () => {
    const { run, shown } = await manual(['r', 'r', 't', 't'])
    expect(run).toMatchObject({ verdict: 'matched', liveCalls: 2 })
    expect(run.calls.map(call => call.answer)).toEqual(['executed', 'executed', 'recorded', 'recorded'])
    expect(shown).toContain('tool inner, made inside live call 1')
    expect(shown).toContain('INNER RAN')
  })

  it('gives the answer of a synchronous call by hand', async () => {
    const { run } = await manual(['t', 't', 'e', '10'])
    expect(run.calls.map(call => call.answer)).toEqual(['recorded', 'recorded', 'edited'])
    expect(run.divergences).toMatchObject([
      { kind: 'output-differs', differences: [{ path: '/twice', actual: 10 }] },
    ])
    expect(run).toMatchObject({ liveCalls: 0, output: { answersAreRecorded: false } })
  })

  it('asks about what an answer given by hand leads to, and notes what ran with another input', async () => {
    const { run } = await manual(['e', '7', 'r', 't'])
    expect(run.calls.map(call => [call.verdict, call.answer])).toEqual([
      ['matched', 'edited'],
      ['matched', 'executed'],
      ['matched', 'recorded'],
    ])
    expect(run.notes.map(note => note.code)).toContain('executed-other-input')
  })

  it('stops by hand, says how far it came, and exits 130', async () => {
    const { run, code, shown } = await manual(['t', 's'])
    expect([code, run.exitCode, run.divergences]).toEqual([130, 130, []])
    expect(run.notes).toMatchObject([
      { code: 'stopped-by-hand', message: expect.stringContaining('not reached: 2') },
    ])
    expect(shown).not.toContain('RAN')
  })

  it('asks about a call that the recording does not have, and does not offer to take it', async () => {
    const extra: [string, string] = ['const text', 'await twice({ n: 9 })\n  const text']
    const { run, shown } = await manual(['t', 'e', '1', 't', 't'], [extra])
    expect(shown).toContain('? call 2, new  tool twice, which the recording does not have')
    expect(shown).toContain('✗ new  twice was answered by hand')
    expect(run.divergences).toMatchObject([{ kind: 'extra', label: 'twice' }])
    expect(run.liveCalls).toBe(0)
  })

  it('gives streams by hand, chunk by chunk, and runs one of two concurrent calls', async () => {
    const lines = ['e', '{"yielded": ["x", "y"], "returned": null}', 'r', 't', 'e', '{"yielded": [7]}']
    const { run } = await manual(lines, [], [], 0, [STREAMS, streams.bundle])
    expect(run.calls.map(call => call.answer)).toEqual(['edited', 'executed', 'recorded', 'edited'])
    const [found] = run.divergences
    expect(found).toMatchObject({ kind: 'output-differs', actual: { parts: ['x', 'y', 7], both: [1, 2] } })
  })

  it('does not count the time in which a person thinks as silence', async () => {
    const { run } = await manual(['t', 't', 't'], [], ['--timeout', '300ms'], 0.7)
    expect(run.verdict).toBe('matched')
  })
})

describe.runIf(hasTerminal)('the page on modes', () => {
  it('shows what is seen', async () => {
    const example = 'examples/refund-desk'
    const lines = ['t', 'r', 'e', '{"customer_id": "c-9", "orders": 12, "refunds": 0}', 't', 't', 't']
    const args = [`${example}/refund.sftrace`, '--agent', `${example}/agent.ts`]
    const { shown } = await atTerminal(ROOT, args, { lines, seconds: 0 })
    expect(transcripts()).toHaveLength(2)
    for (const text of transcripts()) expect(asSeen(shown)).toContain(withoutDurations(text))
  })
})

describe('mode manual is refused', () => {
  it('where there is no terminal, before the agent starts', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    const args = ['replay', recorded.bundle, '--agent', 'agent.ts', '--mode', 'manual']
    const { code, stderr, stdout } = await runCli(args, { cwd: folder })
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain('mode manual asks before each call, and there is no terminal to ask on')
  })

  it('together with --live or --stop-at-first', async () => {
    for (const flags of [['--live', 'add'], ['--stop-at-first']]) {
      const { code, stderr } = await runCli(['replay', 'x', '--agent', 'a.ts', '--mode', 'manual', ...flags])
      expect([code, stderr]).toEqual([2, expect.stringContaining('--mode manual exclude each other')])
    }
  })
})

interface Answered {
  readonly code: number
  readonly shown: string
  readonly run: ReplayDocument['runs'][number]
}

/** Types each line when the next question has been asked, after so many seconds. */
async function manual(
  lines: readonly string[],
  changes: readonly (readonly [string, string])[] = [],
  flags: readonly string[] = [],
  seconds = 0,
  [agent, bundle]: readonly [string, string] = [AGENT, recorded.bundle],
): Promise<Answered> {
  const folder = workspace({ 'agent.ts': changedText(agent, changes) })
  const reports = ['--reporter', 'json:report.json', '--reporter', 'pretty']
  const args = [bundle, '--agent', 'agent.ts', ...reports, ...flags]
  const end = await atTerminal(folder, args, { lines, seconds })
  const document = JSON.parse(readFileSync(resolve(folder, 'report.json'), 'utf8')) as ReplayDocument
  return { ...end, run: document.runs[0]! }
}

async function atTerminal(
  cwd: string,
  args: readonly string[],
  typing: { readonly lines: readonly string[]; readonly seconds: number },
): Promise<Omit<Answered, 'run'>> {
  const { stdout } = await promisify(execFile)(
    'python3',
    [TYPE_ANSWERS, JSON.stringify(typing), NODE, CLI, 'replay', '--mode', 'manual', ...args],
    { cwd, env: { ...process.env, NO_COLOR: '1', LANG: 'C.UTF-8' } },
  )
  return JSON.parse(stdout) as Omit<Answered, 'run'>
}

/** What of the page was on a terminal. */
function transcripts(): readonly string[] {
  const [, section = ''] =
    /^## manual$([\s\S]*?)^## /m.exec(readFileSync(resolve(ROOT, 'docs/modes.md'), 'utf8')) ?? []
  return [...section.matchAll(/```console\n((?!\$)[\s\S]*?)```/g)].map(([, text]) => text!)
}

/** Without the movements of the cursor. */
function asSeen(shown: string): string {
  return withoutDurations(shown.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', ''))
}
