/** Bundles of the Python package 0.2.1, replayed by the same agents written in TypeScript. */
import { describe, expect, it } from 'vitest'
import { causesOf, replayJson, runCli } from './run-cli.ts'
import { changedAgent, copyOfBundle, fixtureAgent, fixtureBundle, workspace } from './workspace.ts'

describe('an unchanged agent', () => {
  const complete = {
    single_tool: 1,
    model_two_tools: 3,
    gather_four: 4,
    nested_tool: 2,
    timeout_fallback: 2,
    null_values: 4,
    hidden_keys: 3,
    openai_two_turns: 3,
    openai_key_order: 3,
  }
  for (const [name, calls] of Object.entries(complete)) {
    it(`${name} matches its recording: ${calls} calls, output equal, exit 0`, async () => {
      const { code, run } = await replay(name)
      expect({ code, causes: causesOf(run) }).toEqual({ code: 0, causes: [] })
      expect(run.totals.matched).toBe(calls)
      expect(run.output.equal).toBe(true)
      expect(run.liveCalls).toBe(0)
    })
  }

  it('custom_failure fails as recorded, exit 0', async () => {
    const { code, run } = await replay('custom_failure')
    expect([code, run.verdict, run.totals.matched]).toEqual([0, 'reproduced', 1])
    expect(run.failure?.type).toBe('BudgetExceeded')
  })

  it('open_calls fails as recorded, with two calls unanswered as then, exit 0', async () => {
    const { code, run } = await replay('open_calls')
    expect([code, run.verdict, run.totals.matched]).toEqual([0, 'reproduced', 3])
    expect(run.notes.map(note => note.code)).toContain('recorded-call-unanswered')
    expect(run.durationMs).toBeLessThan(10_000)
  })

  it('midrun_snapshot is refused its second call, for which the recording has no answer', async () => {
    const { code, run, stderr } = await replay('midrun_snapshot')
    expect([code, causesOf(run)]).toEqual([1, ['no-result 2']])
    expect(run.totals).toMatchObject({ matched: 1, refused: 1 })
    expect(stderr).not.toContain('import_batch really ran')
  })

  it('gets its four answers in the order in which they were recorded', async () => {
    const { stderr } = await replay('gather_four')
    expect(stderr).toContain('finished bravo delta charlie alpha')
  })
})

/** Name of the fixture, what is changed in its agent, the causes that the report must name. */
const CHANGES: readonly (readonly [string, string, readonly [string, string][], readonly string[]])[] = [
  [
    'single_tool',
    'another city',
    [['getForecast({ city })', "getForecast({ city: 'Porto' })"]],
    ['changed-input 1 /city'],
  ],
  [
    'single_tool',
    'a sum for a difference',
    [['high_c - forecast', 'high_c + forecast']],
    ['output-differs /spread_c'],
  ],
  [
    'model_two_tools',
    'a default left out',
    [['    seat_preference: null,\n', '']],
    ['changed-input 3 /seat_preference'],
  ],
  [
    'model_two_tools',
    'the dearest flight',
    [['a.price_eur - b.price_eur', 'b.price_eur - a.price_eur']],
    ['changed-input 3 /flight_no', 'output-differs /flight /price_eur'],
  ],
  [
    'gather_four',
    'another start order',
    [["['alpha', 'bravo', 'charlie', 'delta']", "['delta', 'charlie', 'bravo', 'alpha']"]],
    ['output-differs /asked/0 /asked/1 /asked/2 /asked/3 /best/vendor'],
  ],
  [
    'gather_four',
    'another quantity for one',
    [['{ vendor, quantity }', "{ vendor, quantity: vendor === 'delta' ? 4 : quantity }"]],
    ['changed-input 4 /quantity'],
  ],
  ['gather_four', 'a fifth call', [["'delta']", "'delta', 'echo']"]], ['extra']],
  [
    'nested_tool',
    'the inner tool called first',
    [['  const files = listFolder', "  listPage({ folder: 'inbox', page: 1 })\n  const files = listFolder"]],
    ['extra'],
  ],
  ['custom_failure', 'a higher limit', [['100_000', '200_000']], ['extra']],
  [
    'custom_failure',
    'an error of another type',
    [['throw new BudgetExceeded', 'throw new RangeError']],
    ['failure-differs'],
  ],
  [
    'custom_failure',
    'no error',
    [['    throw new BudgetExceeded(', '    if (sku) return quote\n    throw new BudgetExceeded(']],
    ['failure-differs'],
  ],
  [
    'hidden_keys',
    'a flag beside a secret',
    [['remember: true', 'remember: false']],
    ['changed-input 1 /options/remember'],
  ],
  [
    'openai_two_turns',
    'another temperature',
    [['temperature: 0', 'temperature: 1']],
    ['changed-input 1 /request/temperature'],
  ],
  [
    'openai_two_turns',
    'another system text',
    [['about orders.', 'about all orders.']],
    ['changed-input 1 /request/messages/0/content'],
  ],
  [
    'openai_key_order',
    'another value in a dumped result',
    [['JSON.stringify(order)', 'JSON.stringify({ ...order, eta_days: 3 })']],
    ['changed-input 3 /request/messages/3/content'],
  ],
]

describe('a changed agent', () => {
  for (const [name, change, edits, causes] of CHANGES) {
    it(`${name} with ${change}: ${causes.join(', ')}, exit 1`, async () => {
      const folder = workspace()
      const { code, run, stderr } = await replayJson([
        fixtureBundle(name),
        '--agent',
        changedAgent(folder, name, ...edits),
      ])
      expect([code, causesOf(run)]).toEqual([1, causes])
      expect(stderr).not.toContain('really ran')
    })
  }

  it('is shown the changed message, both values and the line of code', async () => {
    const folder = workspace()
    const agent = changedAgent(folder, 'openai_two_turns', ['about orders.', 'about all orders.'])
    const { code, stdout } = await runCli(['replay', fixtureBundle('openai_two_turns'), '--agent', agent])
    expect(code).toBe(1)
    expect(stdout).toContain('/request/messages/0/content')
    expect(stdout).toMatch(/- recorded .*about orders\./)
    expect(stdout).toMatch(/\+ live .*about all orders\./)
    expect(stdout).toContain('openai_two_turns.agent.ts:39:10, in complete')
  })
})

describe('the bundle', () => {
  it('is not changed by a replay', async () => {
    const folder = workspace()
    const bundle = copyOfBundle(folder, 'single_tool')
    await replayJson([bundle, '--agent', fixtureAgent('single_tool')])
    const { code } = await runCli(['validate', bundle, '--verify-integrity'])
    expect(code).toBe(0)
  })
})

function replay(name: string) {
  return replayJson([fixtureBundle(name), '--agent', fixtureAgent(name)])
}
