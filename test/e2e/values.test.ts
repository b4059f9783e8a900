/** Values that JSON cannot carry: recorded by the command, and in the agent's hands again in a replay. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { recordIn, workspace } from './workspace.ts'

/** Every step uses its result as what it is: a plain text in the place of a Date would throw, or change the next input. */
const AGENT = `
import { llmRequest, traceTool } from 'stepfork'
const ORDERS = new Map([[7n, { at: new Date('2026-12-01T08:00:00Z'), tags: new Set(['new']) }]])
const orders = traceTool('orders', async (_query: { since: Date; ids: Set<bigint> }) => ORDERS)
const label = traceTool('label', (_order: { days: number; price: number }) => Buffer.from('PDF'))
const check = traceTool('check', async (_bytes: Uint8Array) => ({ problem: new RangeError('too long'), score: Number.NaN }))
const rows = traceTool('rows', async function* () {
  yield { vector: new Float32Array([0.5, -0]), pattern: /^a+$/i }
  return undefined
})
export async function run() {
  const found = await orders({ since: new Date(0), ids: new Set([7n]) })
  const order = found.get(7n)!
  order.tags.add('seen')
  const paper = label({ days: order.at.getUTCDate(), price: Number.POSITIVE_INFINITY })
  const { problem, score } = await check(paper.subarray(1))
  const vectors: number[] = []
  for await (const row of rows()) vectors.push(row.vector.at(0)!, row.pattern.test('AA') ? 1 : 0)
  const input = { place: new URL('https://a.example/x'), odd: [Number.isNaN(score), problem instanceof RangeError] }
  const when = await llmRequest({ provider: 'acme', model: 'm', input }, async () => new Date(5))
  return { tags: order.tags, paper: paper.toString(), when, vectors: new Map([['v', vectors]]) }
}
`

describe('a tool that takes and gives what JSON cannot carry', () => {
  it('is recorded without a word of loss, and its agent is green in a replay', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    const { stdout } = await recordIn(folder)
    expect(stdout).not.toMatch(/not recorded|more than/)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts', '--evidence', 'all'], {
      cwd: folder,
    })
    expect([code, causesOf(run), run.output.equal]).toEqual([0, [], true])
    const validated = await runCli(['validate', 'run.sftrace', '--verify-integrity'], { cwd: folder })
    expect(validated.code).toBe(0)
  })

  it('keeps the values of a replay that is saved, of what was answered and of what ran for real', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder)
    const args = ['run.sftrace', '--agent', 'agent.ts', '--live', 'check', '--save', 'saved.sftrace']
    expect((await replayJson(args, { cwd: folder })).code).toBe(0)
    const { code, run } = await replayJson(['saved.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([0, []])
    const kinds = (name: string): string[] =>
      [...readFileSync(join(folder, name, 'x-values.jsonl'), 'utf8').matchAll(/"is":"[^"]+"/g)].map(
        ([is]) => is,
      )
    expect(kinds('saved.sftrace')).toEqual(kinds('run.sftrace'))
  })

  it('differs where a Date became its text, and the report says which is which', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder)
    writeFileSync(
      join(folder, 'agent.ts'),
      AGENT.replace('since: new Date(0)', "since: '1970-01-01T00:00:00.000Z' as never"),
    )
    const { code, stdout } = await runCli(['replay', 'run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect(code).toBe(1)
    expect(stdout).toMatch(/\/since\n.*Date\("1970-01-01T00:00:00.000Z"\)\n.*"1970-01-01T00:00:00.000Z"/)
  })

  it('is refused before it runs when it is given a function', async () => {
    const source = AGENT.replace('ids: new Set([7n])', 'ids: new Set([() => 1]) as never')
    const { stdout, stderr } = await runCli(['record', '--agent', 'agent.ts', '-o', 'run.sftrace'], {
      cwd: workspace({ 'agent.ts': source }),
    })
    expect(stdout + stderr).toContain(
      'orders was called with what is not JSON: a function has no JSON form (at $.ids[0])',
    )
  })

  it('is not replayed from an x-values file that contradicts its events', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder)
    const file = join(folder, 'run.sftrace', 'x-values.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"is":"Date"', '"is":"Float64Array"'))
    const { code, stdout, stderr } = await runCli(['replay', 'run.sftrace', '--agent', 'agent.ts'], {
      cwd: folder,
    })
    expect([code, stdout + stderr]).toEqual([
      2,
      expect.stringContaining('x-values.jsonl does not fit events.jsonl'),
    ])
  })
})

describe('a stream in a recording that does not tell what was one, as Python writes it', () => {
  it('is saved with its chunks when a live generator was answered from it', async () => {
    const source = `
import { traceTool } from 'stepfork'
const words = traceTool('words', async function* () { yield 'a'; yield 'b'; return 'end' })
export async function run() {
  const seen: unknown[] = []
  const stream = words()
  for (;;) {
    const step = await stream.next()
    seen.push(step.value)
    if (step.done) return seen
  }
}
`
    const folder = workspace({ 'agent.ts': source })
    await recordIn(folder)
    for (const name of ['x-origin.jsonl', 'integrity.json']) rmSync(join(folder, 'run.sftrace', name))
    const args = ['run.sftrace', '--agent', 'agent.ts', '--evidence', 'all', '--save', 'saved.sftrace']
    const { code, run } = await replayJson(args, { cwd: folder })
    const output = { yielded: ['a', 'b'], returned: 'end' }
    expect([code, run.calls[0]]).toMatchObject([0, { actual: { output } }])
    const events = readFileSync(join(folder, 'saved.sftrace', 'events.jsonl'), 'utf8')
    expect(events).toContain(`"output":${JSON.stringify(output)}`)
    expect((await replayJson(['saved.sftrace', '--agent', 'agent.ts'], { cwd: folder })).code).toBe(0)
  })
})
