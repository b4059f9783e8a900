/** What a recording may hold, and what its replay makes of it. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { copyOfBundle, fixtureAgent, recordIn, recordThenChange, workspace } from './workspace.ts'

describe('a policy recorded with a call', () => {
  for (const policy of ['forbidden', 'manual']) {
    it(`${policy} has it refused, and named as the reason`, async () => {
      const folder = await recordThenChange(`
import { traceTool } from 'stepfork'
const refund = traceTool('refund', async ({ cents }: { cents: number }) => ({ paid: cents }), { policy: '${policy}' })
export const run = () => refund({ cents: 100 })
`)
      const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
      expect([code, causesOf(run)]).toEqual([1, ['refused 1']])
      expect(run.divergences[0]?.message).toContain(policy)
      expect(run.liveCalls).toBe(0)
    })
  }
})

describe('a recording that was altered', () => {
  it('in an input has that call refused: altered-recording', async () => {
    const { code, run } = await replayAltered(
      'single_tool',
      '"name":"get_forecast","input":{"city":"Lisbon"',
      '"name":"get_forecast","input":{"city":"Lisboa"',
    )
    expect([code, causesOf(run)]).toEqual([1, ['altered-recording 1']])
  })

  it('in a result has that call refused: altered-recording', async () => {
    const { code, run } = await replayAltered('single_tool', '"high_c":24', '"high_c":25')
    expect([code, causesOf(run)]).toEqual([1, ['altered-recording 1']])
  })

  it('in the input of the run, which has no call, is told in a note', async () => {
    const { run } = await replayAltered('single_tool', '"input":{"city":"Lisbon"', '"input":{"city":"Lisboa"')
    expect(run.notes.map(note => note.code)).toContain('recording-altered')
  })

  it('is found by validate --verify-integrity, too', async () => {
    const folder = workspace()
    const bundle = altered(folder, 'single_tool', '"high_c":24', '"high_c":25')
    const { code, stdout } = await runCli(['validate', bundle, '--verify-integrity'])
    expect([code, stdout]).toEqual([1, expect.stringContaining('output_hash')])
  })
})

describe('an old bundle without integrity.json', () => {
  it('is replayed', async () => {
    const bundle = copyOfBundle(workspace(), 'single_tool')
    rmSync(join(bundle, 'integrity.json'))
    const { code } = await replayJson([bundle, '--agent', fixtureAgent('single_tool')])
    expect(code).toBe(0)
  })

  it('cannot be verified: exit 3', async () => {
    const bundle = copyOfBundle(workspace(), 'single_tool')
    rmSync(join(bundle, 'integrity.json'))
    expect((await runCli(['validate', bundle])).code).toBe(0)
    expect((await runCli(['validate', bundle, '--verify-integrity'])).code).toBe(3)
  })
})

describe('a recorded failure', () => {
  const FAILING = `
import { traceTool } from 'stepfork'
class QuotaError extends Error {
  override name = 'QuotaError'
  constructor(message: string, readonly code: string, readonly retryAfter: number, options?: ErrorOptions) {
    super(message, options)
  }
}
const charge = traceTool('charge', async (_request: { cents: number }): Promise<void> => {
  const cause = Object.assign(new TypeError('socket closed'), { syscall: 'read' })
  throw new QuotaError('no more today', 'E_QUOTA', 30, { cause })
}, { errors: [QuotaError] })
export async function run() {
  try {
    return await charge({ cents: 1 })
  } catch (error) {
    const { name, message, code, retryAfter, cause } = error as QuotaError & { cause: Error & { syscall: string } }
    const isClass = error instanceof QuotaError
    return { name, message, code, retryAfter, isClass, cause: { name: cause.name, message: cause.message, syscall: cause.syscall, isClass: cause instanceof TypeError }, keys: Object.keys(error as object).sort() }
  }
}
`

  it('comes back with its class, name, message, members and cause', async () => {
    const folder = await recordThenChange(FAILING)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run), run.output.equal]).toEqual([0, [], true])
  })

  it('that ends the run is reproduced: exit 0', async () => {
    const folder = await recordThenChange(
      FAILING.replace(/try \{[\s\S]*\n\}\n$/, 'await charge({ cents: 1 })\n}\n'),
    )
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, run.verdict]).toEqual([0, 'reproduced'])
    expect(run.failure).toEqual({ type: 'QuotaError', message: 'no more today' })
  })

  it('with another message is not the recorded one: failure-differs', async () => {
    const folder = await recordThenChange(
      `${FAILING.slice(0, FAILING.indexOf('export async'))}
export async function run() {
  await charge({ cents: 1 }).catch(() => {})
  throw new Error('gave up after 1 try')
}
`,
      [['1 try', '2 tries']],
    )
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([1, ['failure-differs']])
  })
})

describe('values at the edge of JSON', () => {
  it('null, undefined, empty and huge ones come back as they were', async () => {
    const folder = await recordThenChange(`
import { traceTool } from 'stepfork'
const give = traceTool('give', async ({ what }: { what: string }): Promise<unknown> => ({
  nothing: undefined, nil: null, empty: '', zero: -0, list: [], big: 2 ** 60, small: 5e-324, text: '\\u2028 \\ud83d\\ude00 </script>',
})[what])
export async function run() {
  const seen: string[] = []
  for (const what of ['nothing', 'nil', 'empty', 'zero', 'list', 'big', 'small', 'text']) {
    const value = await give({ what })
    seen.push(value === undefined ? 'undefined' : JSON.stringify(value))
  }
  return seen
}
`)
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, run.totals.matched, run.output.equal]).toEqual([0, 8, true])
  })

  it('a result that has no JSON form is not recorded, which record says; its replay is refused', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
const open = traceTool('open_file', async (_: { path: string }) => new Map([[1, () => {}]]))
export async function run() {
  return (await open({ path: 'a.txt' })).size
}
`,
    })
    const { stdout } = await recordIn(folder)
    expect(stdout).toContain('not recorded: the result of call 1 open_file')
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([1, ['no-result 1']])
  })

  it('an input that has no JSON form is an error in the agent, before its tool runs', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
const open = traceTool('open_file', async (_: object) => console.error('it ran'))
export async function run() {
  await open({ deep: { callback: () => {} } })
}
`,
    })
    const { stderr, stdout } = await runCli(['record', '--agent', 'agent.ts', '-o', 'run.sftrace'], {
      cwd: folder,
    })
    expect(stderr).not.toContain('it ran')
    expect(stdout).toContain(
      'open_file was called with what is not JSON: a function has no JSON form (at $.deep.callback)',
    )
  })

  it('an input that has no JSON form is said to be missing also when the agent caught the error', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
const step = traceTool('step', async (_: object) => 1)
export async function run() {
  await step({ callback: () => {} }).catch(() => {})
  return await step({})
}
`,
    })
    const { stdout } = await recordIn(folder)
    expect(stdout).toContain(
      'not recorded: step was called with what is not JSON: a function has no JSON form (at $.callback)',
    )
  })

  it('a result that is more than its data comes back as its data alone, which record says, unless it is decoded', async () => {
    const folder = workspace({
      'agent.ts': `
import { traceTool } from 'stepfork'
class Money {
  readonly cents: number
  constructor(cents: number) {
    this.cents = cents
  }
  text() {
    return this.cents / 100 + ' EUR'
  }
}
const price = traceTool('price', async () => ({ of: new Money(5) }))
const ways = { encode: (money: Money) => money.cents, decode: (cents: unknown) => new Money(cents as number) }
const exact = traceTool('exact', async () => new Money(5), ways)
export async function run() {
  await price()
  return (await exact()).text()
}
`,
    })
    const { stdout } = await recordIn(folder)
    expect(stdout).toContain(
      'not recorded: what is more than data in the result of call 1 price: a Money (at $.of)\n',
    )
    const { code } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect(code).toBe(0)
  })

  it('an output that has no JSON form is compared with a recorded one as output-not-json', async () => {
    const folder = await recordThenChange(
      `
import { traceTool } from 'stepfork'
const step = traceTool('step', async () => 1)
export async function run(): Promise<unknown> {
  return { value: await step() }
}
`,
      [['value: await step()', 'value: await step(), at: new Set([() => 1])']],
    )
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder })
    expect([code, causesOf(run)]).toEqual([1, ['output-not-json']])
    expect(run.divergences[0]?.message).toContain('(at $.at[0])')
  })
})

describe('the environment of the recorded run', () => {
  const AGENT = `
import { traceTool } from 'stepfork'
const tell = traceTool('tell', async (said: object) => said)
export const run = () => tell({ day: new Date(1764547200000).toString(), number: (1234.5).toLocaleString(), env: process.env.NODE_ENV ?? null })
`
  it('time zone, locale and NODE_ENV are as then', async () => {
    const folder = workspace({ 'agent.ts': AGENT })
    await recordIn(folder, [], { env: { TZ: 'Asia/Kathmandu', LC_ALL: 'de_DE.UTF-8', NODE_ENV: 'staging' } })
    const env = { TZ: 'America/Lima', LC_ALL: 'en_US.UTF-8' }
    const { code, run } = await replayJson(['run.sftrace', '--agent', 'agent.ts'], { cwd: folder, env })
    expect([code, causesOf(run)]).toEqual([0, []])
  })

  it('keys that SDKs insist on have a placeholder when they are not set, and stay when they are', async () => {
    const keys = 'process.env.OPENAI_API_KEY, process.env.ANTHROPIC_API_KEY'
    const source = AGENT.replace(/run = .*/, `run = async () => { await tell({}); console.error(${keys}) }`)
    const folder = workspace({ 'agent.ts': source })
    await recordIn(folder, [], { env: { OPENAI_API_KEY: 'own', ANTHROPIC_API_KEY: '' } })
    const args = ['run.sftrace', '--agent', 'agent.ts']
    const { stderr } = await replayJson(args, { cwd: folder, env: { OPENAI_API_KEY: 'own' } })
    expect(stderr).toBe('own stepfork-placeholder-key\n')
  })
})

function altered(folder: string, name: string, from: string, to: string): string {
  const bundle = copyOfBundle(folder, name)
  const events = join(bundle, 'events.jsonl')
  const text = readFileSync(events, 'utf8').replaceAll('": ', '":')
  expect(text).toContain(from)
  writeFileSync(events, text.replace(from, to))
  return bundle
}

function replayAltered(name: string, from: string, to: string) {
  return replayJson([altered(workspace(), name, from, to), '--agent', fixtureAgent(name)])
}
