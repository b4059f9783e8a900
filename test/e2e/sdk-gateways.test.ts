/** Models are told by path and body, whoever serves them; and some of their calls may run for real while others are served. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { causesOf, replayJson } from './run-cli.ts'
import { agentFolder, KEYS, NOTHING_SET, type ServerProcess, startServer } from './sdk-world.ts'
import { recordIn } from './workspace.ts'

const folder = agentFolder('gateways')
const bundle = join(folder.path, 'run.sftrace')
let server: ServerProcess

function env({ urls }: ServerProcess): NodeJS.ProcessEnv {
  return { ...NOTHING_SET, ...KEYS, GATEWAY_URL: urls.gateway, UNKNOWN_BASE_URL: urls.unknown }
}

beforeAll(async () => {
  server = await startServer('gateway-server.mjs')
  await recordIn(folder.path, [], { env: env(server) })
})
afterAll(async () => {
  await server.stop()
  folder.dispose()
})

const replay = (more: readonly string[], given: NodeJS.ProcessEnv) =>
  replayJson([bundle, '--agent', 'agent.ts', ...more], { cwd: folder.path, env: given })

it('calls by gateways, unknown hosts and deployments are model calls, and replay without addresses', async () => {
  const { code, run } = await replay([], NOTHING_SET)
  expect([code, causesOf(run), run.liveCalls]).toEqual([0, [], 0])
  expect(run.calls.map(({ kind, label }) => [kind, label])).toEqual([
    ['llm', 'openai/gpt-4o'],
    ['llm', 'openai/llama3'],
    ['llm', 'openai/gpt-4o'],
  ])
})

it('one model may run for real, the others are answered from the recording', async () => {
  // What is served needs no address.
  const given = { ...NOTHING_SET, ...KEYS, UNKNOWN_BASE_URL: server.urls.unknown }
  const { run } = await replay(['--live', 'openai/llama3'], given)
  expect(run.calls.map(({ verdict, answer }) => [verdict, answer])).toEqual([
    ['matched', 'recorded'],
    ['matched', 'executed'],
    ['matched', 'recorded'],
  ])
  // It is the fourth that the gateway served, so the live answer reached the agent.
  expect(run.output.differences).toEqual([
    expect.objectContaining({ path: '/unknown', recorded: 'poem 2 by llama3', actual: 'poem 4 by llama3' }),
  ])
})
