/** An agent may load the package twice, as an ES module and as a CommonJS one: both see the one run. */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { NODE } from './run-cli.ts'
import { workspace } from './workspace.ts'

const DIST = resolve(import.meta.dirname, '../../dist')

const HEAD = `
import { createRequire } from 'node:module'
import * as esm from ${JSON.stringify(`${DIST}/index.js`)}
import { ReplaySession, readBundle, StepforkError } from ${JSON.stringify(`${DIST}/testing.js`)}
const cjs = createRequire(import.meta.url)(${JSON.stringify(`${DIST}/cjs/index.cjs`)})

let ran = 0
const tools = [esm, cjs].map(({ traceTool }, copy) => traceTool('tool' + copy, async () => ++ran))
const agent = async () => [await tools[0](), await tools[1](), esm.stepforkMode(), cjs.stepforkMode()]
const told = value => console.log(JSON.stringify(value))
`

function told(script: string): unknown[] {
  const folder = workspace({ 'script.mjs': `${HEAD}\n${script}` })
  const output = execFileSync(NODE, ['script.mjs'], { cwd: folder, encoding: 'utf8' })
  return output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

describe('two copies of the package in one process', () => {
  it.each(['esm', 'cjs'])(
    'see the recording that one of them makes (%s), and the replay of another',
    copy => {
      const output = told(`
told(await ${copy}.record({ agent: 'a', output: 'run.sftrace' }, agent))
const session = new ReplaySession(readBundle('run.sftrace'))
told(await session.run(agent))
session.verifyComplete()
told([ran, esm.stepforkMode(), cjs.stepforkMode()])`)
      expect(output).toEqual([
        [1, 2, 'record', 'record'],
        [1, 2, 'replay', 'replay'],
        [2, 'off', 'off'],
      ])
    },
  )

  it('know each other’s errors', () => {
    const output = told(`
const thrown = fn => { try { fn() } catch (error) { return error } }
const error = thrown(() => cjs.traceTools({ search: {} }))
told([error.code, error instanceof StepforkError, new Error('x') instanceof StepforkError])`)
    expect(output).toEqual([['TOOL_SHAPE', true, false]])
  })

  it('wrap a tool once, though both were asked to', () => {
    const output = told(`
const twice = cjs.traceTool('second', esm.traceTool('first', async () => 'result'))
await esm.record({ agent: 'a', output: 'run.sftrace' }, twice)
told(readBundle('run.sftrace').events.filter(({ type }) => type === 'tool_call').map(({ label }) => label))`)
    expect(output).toEqual([['first']])
  })
})
