/** Streams, errors and retries of a real SDK: what its agent sees is the same without us, while recording, and in a replay. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOutcome, CallSides } from '../../src/outcome/outcome.ts'
import { causesOf, NODE, replayJson } from './run-cli.ts'
import { agentFolder, type Changes, KEYS, NOTHING_SET, startServer } from './sdk-world.ts'
import { recordIn } from './workspace.ts'

const recorded = agentFolder('troubled')
const bundle = join(recorded.path, 'run.sftrace')
let withoutUs: unknown

beforeAll(async () => {
  const servers = await Promise.all([startServer('troubled-server.mjs'), startServer('troubled-server.mjs')])
  const envs = servers.map(({ urls }) => ({ ...NOTHING_SET, ...KEYS, OPENAI_BASE_URL: `${urls.models}/v1` }))
  try {
    withoutUs = runPlainly(envs[0]!)
    await recordIn(recorded.path, [], { env: envs[1]! })
  } finally {
    await Promise.all(servers.map(server => server.stop()))
  }
}, 120_000)
afterAll(() => recorded.dispose())

describe('an agent in trouble', () => {
  it('sees while it is recorded what it sees without us', () => {
    const end = readFileSync(join(bundle, 'events.jsonl'), 'utf8').trimEnd().split('\n').at(-1)!
    expect(JSON.parse(end).output).toEqual(withoutUs)
    expect(withoutUs).toMatchObject({
      busy: 'Sun on tiles, snow on spruce.',
      broken: { class: 'InternalServerError', status: 500 },
      late: { class: 'APIConnectionTimeoutError' },
      refused: { class: 'APIConnectionError' },
      noPage: 404,
      cut: ['Sun ', 'on ', 'tiles, ', expect.stringMatching(/Error$/)],
      enough: ['Sun ', 'on '],
      aborted: ['Sun ', 'on ', 'tiles, '],
    })
  })

  it('sees it again in a replay, each try a call of its own, without waiting between tries', async () => {
    const { code, run } = await replayed()
    expect([code, causesOf(run), run.output.equal]).toEqual([0, [], true])
    expect(run.calls.map(({ label }) => label)).toEqual([
      'openai/busy',
      'openai/busy',
      'openai/broken',
      'openai/broken',
      'openai/asked-twice',
      'openai/asked-twice',
      'openai/silent',
      'openai/nobody',
      `http GET \${OPENAI_BASE_URL}`,
      'openai/whole',
      'openai/cut',
      'openai/enough',
      'openai/endless',
    ])
    // Recorded, the server asked for a second and a half before the next try.
    expect(elapsedBetweenTries()).toBeGreaterThan(1400)
    const [first, second] = run.calls as readonly (CallOutcome & Partial<CallSides>)[]
    expect(second!.actual!.at - first!.actual!.at).toBeLessThan(1000)
  })

  it.each<[string, Changes, string[]]>([
    [
      'a try too much',
      [['maxRetries: 1', 'maxRetries: 2']],
      ['exhausted', 'output-differs /broken/message /broken/class /broken/status /broken/code'],
    ],
    ['no second try by hand', [['await again(() =>', 'await told(() =>']], ['missing 6']],
    ['another model', [["read('whole'", "read('other'"]], ['changed-target 10 /request/model']],
  ])('is red: %s', async (_, changes, causes) => {
    const { code, run } = await replayed(changes)
    expect([code, causesOf(run)]).toEqual([1, causes])
  })
})

async function replayed(changes: Changes = []) {
  const folder = agentFolder('troubled', changes)
  try {
    const args = [bundle, '--agent', 'agent.ts', '--evidence', 'all']
    return await replayJson(args, { cwd: folder.path, env: NOTHING_SET })
  } finally {
    folder.dispose()
  }
}

function elapsedBetweenTries(): number {
  const log = readFileSync(join(bundle, 'x-origin.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const [first, second] = log.filter(line => line.event !== undefined)
  return second.at - first.at
}

/** As the agent's author runs it. */
function runPlainly(env: NodeJS.ProcessEnv): unknown {
  const agent = JSON.stringify(pathToFileURL(join(recorded.path, 'agent.ts')).href)
  const script = `const { run } = await import(${agent}); console.log(JSON.stringify(await run()))`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  return JSON.parse(execFileSync(NODE, args, { env: { ...process.env, ...env }, encoding: 'utf8' }))
}
