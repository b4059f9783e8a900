/** Agent files that export nothing: importing them is the run. */
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { fixtureBundle, recordIn, workspace } from './workspace.ts'

const ESM = `
import { setOutput, traceTool } from 'stepfork'
const step = traceTool('step', async ({ n }: { n: number }) => n + 1)
const first = await step({ n: 1 })
setTimeout(async () => setOutput({ last: await step({ n: first }) }), 20)
`

const CJS = `
const { setOutput, traceTool } = require('stepfork')
const step = traceTool('step', async ({ n }) => n + 1)
async function main() {
  setOutput({ last: await step({ n: 1 }), argv: process.argv.slice(2) })
}
if (require.main === module) main()
`

describe('a script', () => {
  it('as an ES module is replayed to its last timer, its setOutput compared', async () => {
    const folder = workspace({ 'agent.ts': ESM })
    await recordIn(folder)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, run.totals.matched, run.output.equal]).toEqual([0, 2, true])
  })

  it('as CommonJS sees itself as main, and its arguments', async () => {
    const folder = workspace({ 'agent.cjs': CJS })
    await recordIn(folder, ['--agent', 'agent.cjs', '--', '--fast'])
    const same = await replayJson(['run.sftrace', '--agent', 'agent.cjs', '--', '--fast'], { cwd: folder })
    expect([same.code, same.run.totals.matched, same.run.output.equal]).toEqual([0, 1, true])
  })

  it('that ends by process.exit(0) has completed, its setOutput compared', async () => {
    const source = `${ESM.replace(/setTimeout.*/, 'setOutput({ first })')}process.exit(0)\n`
    const folder = workspace({ 'agent.ts': source })
    await recordIn(folder)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, run.totals.matched, run.output.equal]).toEqual([0, 1, true])
  })

  it('that ends by process.exit(1) is red', async () => {
    const folder = workspace({ 'agent.ts': ESM })
    await recordIn(folder)
    const changed = workspace({ 'agent.ts': ESM.replace(/setTimeout.*/, 'process.exit(1)') })
    const { code, run } = await replayJson([`${folder}/run.sftrace`, '--agent', 'agent.ts'], { cwd: changed })
    expect([code, causesOf(run)]).toEqual([1, ['agent-exit']])
  })

  it('that throws is red: agent-error, not an import that failed', async () => {
    const folder = workspace({ 'agent.ts': ESM })
    await recordIn(folder)
    const changed = workspace({ 'agent.ts': ESM.replace(/setTimeout.*/, "throw new Error('too late')") })
    const { code, run } = await replayJson([`${folder}/run.sftrace`, '--agent', 'agent.ts'], { cwd: changed })
    expect([code, causesOf(run)]).toEqual([1, ['agent-error']])
  })

  it('that makes no call is no test: NOTHING_COMPARED, exit 2', async () => {
    const folder = workspace({ 'agent.ts': "console.log('hello')\n" })
    const { code, stdout } = await runCli(['replay', fixtureBundle('single_tool'), '--agent', 'agent.ts'], {
      cwd: folder,
    })
    expect(code).toBe(2)
    expect(stdout).toContain('the agent made none of the 1 recorded calls, so nothing was compared')
  })

  it('waiting on top-level await for what never happens is told at once', async () => {
    const folder = workspace({ 'agent.ts': ESM })
    await recordIn(folder)
    const changed = workspace({ 'agent.ts': ESM.replace(/setTimeout.*/, 'await new Promise(() => {})') })
    const { code, run } = await replayJson([`${folder}/run.sftrace`, '--agent', 'agent.ts'], { cwd: changed })
    expect([code, causesOf(run)]).toEqual([1, ['agent-stalled']])
  })
})
