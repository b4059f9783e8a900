/** `--expect` and `--expect-output`: what a run is held against besides its recording. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'

const BUGGY = `
import { traceTool } from 'stepfork'
const price = traceTool('price', async ({ sku }: { sku: string }) => ({ sku, cents: 129900 }))
const order = traceTool('order', async ({ sku }: { sku: string }) => ({ ordered: sku }))
export async function run() {
  const { cents, sku } = await price({ sku: 'desk-7' })
  if (cents > 100000) throw new RangeError('too dear')
  return order({ sku })
}
`
const GIVES_UP = BUGGY.replace("throw new RangeError('too dear')", 'return { refused: sku }')
const GOES_ON = BUGGY.replace('100000', '200000')
const OTHER_FAULT = BUGGY.replace("RangeError('too dear')", "TypeError('no price')")
const OTHER_CALL = GIVES_UP.replace("sku: 'desk-7'", "sku: 'desk-8'")

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stepfork-e2e-'))
  const files = {
    'buggy.ts': BUGGY,
    'gives-up.ts': GIVES_UP,
    'goes-on.ts': GOES_ON,
    'other-fault.ts': OTHER_FAULT,
    'other-call.ts': OTHER_CALL,
  }
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code)
  await runCli(['record', '--agent', 'buggy.ts', '-o', 'buggy.sftrace'], { cwd: folder })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function replay(agent: string, ...flags: string[]): Promise<readonly [number | null, string]> {
  const { code, stdout, stderr } = await runCli(['replay', 'buggy.sftrace', '--agent', agent, ...flags], {
    cwd: folder,
  })
  return [code, `${stdout.split('\n')[0]}${stderr}`]
}

describe('--expect fixed makes a recorded failure the test of its fix', () => {
  it('is red while the fault is there', async () => {
    expect(await replay('buggy.ts', '--expect', 'fixed')).toEqual([
      1,
      '✗ buggy.sftrace  not fixed: the agent still fails with RangeError: too dear',
    ])
  })

  it('is green when the agent ends without it', async () => {
    expect(await replay('gives-up.ts', '--expect', 'fixed')).toEqual([
      0,
      '✓ buggy.sftrace  fixed: RangeError did not come back; matched: 1 of 1 call, output not compared',
    ])
  })

  it('is green when the agent goes on to calls behind the failure, which are not judged', async () => {
    expect((await replay('goes-on.ts', '--expect', 'fixed'))[0]).toBe(0)
  })

  it('is red when the agent fails in another way', async () => {
    expect(await replay('other-fault.ts', '--expect', 'fixed')).toEqual([
      1,
      expect.stringContaining('this one failed with TypeError: no price'),
    ])
  })

  it('is red when a call before the failure is another', async () => {
    expect(await replay('other-call.ts', '--expect', 'fixed')).toEqual([
      1,
      expect.stringContaining('/sku is "desk-8"'),
    ])
  })

  it('needs a recording that failed', async () => {
    await runCli(['record', '--agent', 'gives-up.ts', '-o', 'fine.sftrace'], { cwd: folder })
    const { code, stdout } = await runCli(
      ['replay', 'fine.sftrace', '--agent', 'gives-up.ts', '--expect', 'fixed'],
      { cwd: folder },
    )
    expect([code, stdout]).toEqual([2, expect.stringContaining('needs a recording of a run that failed')])
  })
})

describe('--expect-output', () => {
  it('holds the output against a file, whatever the recorded run did', async () => {
    writeFileSync(join(folder, 'output.json'), '{"refused":"desk-7"}')
    expect((await replay('gives-up.ts', '--expect-output', 'output.json'))[0]).toBe(0)
    writeFileSync(join(folder, 'output.json'), '{"refused":"desk-9"}')
    expect(await replay('gives-up.ts', '--expect-output', 'output.json')).toEqual([
      1,
      expect.stringContaining('/refused is "desk-7", expected "desk-9"'),
    ])
  })

  it('takes null for an output, and a failure for none', async () => {
    writeFileSync(join(folder, 'null.json'), 'null')
    expect((await replay('gives-up.ts', '--expect-output', 'null.json'))[0]).toBe(1)
    expect((await replay('buggy.ts', '--expect-output', 'null.json'))[0]).toBe(1)
  })
})

describe('--expect with a trajectory file', () => {
  it('is red with one cause for each assertion that does not hold, naming it', async () => {
    writeFileSync(join(folder, 't.json'), '{"called":["order"],"max_steps":0}')
    const { code, stdout } = await runCli(
      ['replay', 'buggy.sftrace', '--agent', 'buggy.ts', '--expect', 't.json'],
      { cwd: folder },
    )
    expect(code).toBe(1)
    expect(stdout).toContain('order was not called')
    expect(stdout).toContain('the run has 1 steps, expected 0 at most')
  })

  it('is green when all of it holds', async () => {
    writeFileSync(join(folder, 't.json'), '{"counts":{"price":1},"not_called":["order"]}')
    expect((await replay('buggy.ts', '--expect', 't.json'))[0]).toBe(0)
  })

  it.each([
    ['a file that is not there', ['--expect', 'no.json'], '--expect no.json cannot be read'],
    ['an unknown key', ['--expect', 'odd.json'], 'odd.json is no trajectory: has the unknown key color'],
    ['both ways at once', ['--expect', 'fixed', '--expect-output', 'odd.json'], 'exclude each other'],
  ])('refuses %s, exit 2', async (_, flags, sentence) => {
    writeFileSync(join(folder, 'odd.json'), '{"color":1}')
    expect(await replay('buggy.ts', ...flags)).toEqual([2, expect.stringContaining(sentence)])
  })
})
